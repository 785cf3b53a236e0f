/** Owns a node of the operator's that was taken over: its key is the right one, and it says what the attack wants. */
import { randomUUIDv7 } from 'node:crypto'
import {
  type Effect,
  type ExecuteReply,
  idFrom,
  type NodeId,
  type ResolveReply,
  type SignedStatement,
  statementText,
} from '@countersign/contract'
import {
  type BelievedNode,
  fingerprint,
  generateKey,
  type KeyPair,
  signText,
} from '@countersign/contract/node'
import {
  connectNode,
  type ScriptedNode,
} from '../../../../../packages/gateway/src/nodes/testing/scripted-node.ts'
import { until } from '../../until.ts'
import type { Scene, Stage } from './stage.ts'

export interface TakenOver {
  readonly look?: (node: BelievedNode) => ResolveReply
  readonly run?: ExecuteReply
}

export interface OwnedNode {
  readonly node: BelievedNode
  readonly keys: KeyPair
  /** Opens a connection, until the gateway has it among those that are there. */
  connect(): Promise<ScriptedNode>
}

/** The operator let it in before it was taken over. */
export async function nodeOf(
  scene: Scene,
  stage: Stage,
  name: string,
  answers: TakenOver = {},
): Promise<OwnedNode> {
  const { gateway, installation } = scene
  const keys = generateKey()
  const statement = nodeStatement(scene, name, keys)
  await gateway.client.stateDevice(signedByHost(scene, statement))
  const { node: id, executor, key, platform, at } = statement
  const node: BelievedNode = {
    id,
    executor,
    key,
    name,
    platform,
    addedAt: at,
    revokedAt: null,
    statedAt: at,
  }
  return {
    node,
    keys,
    async connect() {
      const link = await connectNode({
        url: gateway.url,
        gateway: installation.identity.trust.gateway,
        node,
        keys,
        look: () => (answers.look ?? lookOf)(node),
        run: () => answers.run,
      })
      stage.afterwards(() => link.cut())
      await link.hears('world')
      if (!(await until(async () => (await viewOf(scene, id)).online, 20_000)))
        throw new Error('the node was not let in')
      return link
    },
  }
}

export function nodeStatement(scene: Scene, name: string, keys: KeyPair) {
  return {
    v: 1 as const,
    kind: 'node' as const,
    gateway: scene.installation.identity.trust.gateway.id,
    at: scene.installation.now().toISOString(),
    node: idFrom('node', randomUUIDv7()),
    executor: idFrom('exe', randomUUIDv7()),
    key: keys.publicKey,
    name,
    platform: 'linux',
  }
}

export function signedByHost(
  { installation }: Scene,
  statement: SignedStatement['statement'],
): SignedStatement {
  const { device } = installation.identity
  const signature = signText(device.keys.privateKey, statementText(statement))
  return { statement, by: { device: device.id, signature }, passkey: null }
}

export async function viewOf({ gateway }: Scene, id: NodeId) {
  const found = (await gateway.client.nodes()).nodes.find((each) => each.id === id)
  if (!found) throw new Error('the node is not listed')
  return found
}

/** Of a file, as harmless as can be. */
export function lookOf(node: BelievedNode, effects: readonly Effect[] = [harmless]): ResolveReply {
  return {
    kind: 'resolved',
    resolution: {
      resources: [
        {
          type: 'node',
          node: node.id,
          executor: node.executor,
          key: fingerprint(node.key),
          name: node.name,
          capability: 'files',
          op: 'read',
          object: 'notes.txt',
          content: 'a'.repeat(64),
        },
      ],
      effects: [...effects],
      sandbox: 'none',
      egress: 'none',
      secrets: [],
    },
  }
}

const harmless: Effect = {
  verb: 'read',
  object: 'notes.txt',
  scope: 'inside',
  reversible: true,
  outward: false,
  leaves: [],
}

export function doneWith(
  change: Partial<Extract<ExecuteReply, { kind: 'done' }>> & { text?: string },
): ExecuteReply {
  const at = new Date().toISOString()
  const { text = 'the notes', ...more } = change
  return {
    kind: 'done',
    startedAt: at,
    endedAt: at,
    result: { ok: true, text, summary: text, undo: null },
    ...more,
  }
}

export const readOn = (node: string) => ({ name: 'device_read_file', args: { node, path: 'notes.txt' } })
