/** A paired browser that seals was taken over, and lets a computer of a stranger in as a node. */
import { randomUUIDv7 } from 'node:crypto'
import { idFrom } from '@countersign/contract'
import { createClient } from '@countersign/contract/client'
import { fileSigner, generateKey } from '@countersign/contract/node'
import {
  deviceStatement,
  newHolder,
  signedBy,
} from '../../../../../../packages/executor/src/testing/statements.ts'
import type { Attack } from '../attack.ts'
import { letInNode } from '../other-computer.ts'

export const attack: Attack = {
  name: 'node-let-in-by-a-browser',
  promise:
    'Another computer is let in by the own device of the host, whose key the words bind, and by no other.',
  mutant: 'browsers-let-nodes-in',
  async run(stage) {
    const scene = await stage.ownScene()
    const { installation, gateway } = scene
    const { trust, device } = installation.identity
    const browser = newHolder()
    await gateway.client.stateDevice(
      signedBy(deviceStatement(trust.gateway.id, browser, 3, installation.now()), device),
    )
    const taken = createClient({ url: gateway.url, signer: fileSigner({ trust, device: browser }) })
    const statement = {
      v: 1 as const,
      gateway: trust.gateway.id,
      at: installation.now().toISOString(),
      kind: 'node' as const,
      node: idFrom('node', randomUUIDv7()),
      executor: idFrom('exe', randomUUIDv7()),
      key: generateKey().publicKey,
      name: 'stranger',
      platform: 'linux',
    }
    const answer = await taken.stateDevice(signedBy(statement, browser)).then(
      () => 'let in',
      (error: Error) => error.message,
    )
    await letInNode(scene, 'laptop')
    const names = (await gateway.client.nodes()).nodes.map(({ name }) => name)
    return {
      open: names.includes('stranger'),
      control: names.includes('laptop'),
      saw: `the browser was told: ${answer}; nodes: ${names.join(', ')}`,
    }
  },
}
