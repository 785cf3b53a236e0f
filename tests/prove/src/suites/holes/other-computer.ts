/** Owns another computer of the operator in an attack: a node that the real gateway knows, and that does what the attack says. */
import { randomUUIDv7 } from 'node:crypto'
import { idFrom } from '@countersign/contract'
import { type BelievedNode, generateKey, type KeyPair } from '@countersign/contract/node'
import { signedBy } from '../../../../../packages/executor/src/testing/statements.ts'
import {
  connectNode,
  type ScriptedNode,
  type ScriptedNodeOptions,
} from '../../../../../packages/gateway/src/nodes/testing/scripted-node.ts'
import { until } from '../../until.ts'
import type { Scene, Stage } from './stage.ts'

export interface OtherComputer {
  readonly node: BelievedNode
  readonly keys: KeyPair
}

export type NodeActs = Pick<ScriptedNodeOptions, 'look' | 'run'>

/** Let in by the device of the host, and connected to nothing yet. */
export async function letInNode({ installation, gateway }: Scene, name: string): Promise<OtherComputer> {
  const { trust, device } = installation.identity
  const keys = generateKey()
  const at = installation.now().toISOString()
  const about = {
    key: keys.publicKey,
    name,
    platform: 'linux',
    executor: idFrom('exe', randomUUIDv7()),
  }
  const id = idFrom('node', randomUUIDv7())
  const statement = {
    v: 1 as const,
    gateway: trust.gateway.id,
    at,
    kind: 'node' as const,
    node: id,
    ...about,
  }
  await gateway.client.stateDevice(signedBy(statement, device))
  return { node: { id, ...about, addedAt: at, revokedAt: null, statedAt: at }, keys }
}

/** Connects it, and waits until the gateway counts it as there. */
export async function connectComputer(
  stage: Stage,
  { gateway, installation }: Scene,
  computer: OtherComputer,
  acts: NodeActs = {},
): Promise<ScriptedNode> {
  const { trust } = installation.identity
  const connected = await connectNode({ url: gateway.url, gateway: trust.gateway, ...computer, ...acts })
  stage.afterwards(() => connected.cut())
  await connected.hears('world')
  const isThere = async () =>
    (await gateway.client.nodes()).nodes.some(({ id, online }) => id === computer.node.id && online)
  if (!(await until(isThere, 20_000))) throw new Error(`${computer.node.name} is not there.`)
  return connected
}
