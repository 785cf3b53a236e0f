/** A gateway that was taken over sends statements that nobody signed. When it is honest again, a revocation finds their place taken. */
import { idFrom, sealText } from '@countersign/contract'
import { digestOf, generateKey, type KeyPair, signText } from '@countersign/contract/node'
import {
  approvedPermit,
  type ScriptedGateway,
  type ScriptedLink,
  tellWorld,
} from '../../../../../../packages/node/src/testing/scripted-gateway.ts'
import type { Attack } from '../attack.ts'
import { nodeOfGateway } from '../node-of-a-gateway.ts'

const phone = idFrom('dev', '1'.repeat(32))

export const attack: Attack = {
  name: 'node-revocation-crowded-out',
  promise: 'What a gateway made up or lost keeps no later revocation from a node.',
  mutant: 'nodes-count-statements',
  async run(stage) {
    const { gateway, link } = await nodeOfGateway(stage)
    const keys = generateKey()
    const { id } = gateway.identity.trust.gateway
    const about = { v: 1 as const, gateway: id, at: new Date().toISOString() }
    const { publicKey: key } = keys
    gateway.sign({ ...about, kind: 'device', device: phone, key, name: 'phone', platform: '', reach: 3 })
    link.send({ type: 'statements', from: 1, lines: [JSON.stringify(gateway.statements[1])] })
    const junk = Array.from({ length: 5 }, (_, at) => JSON.stringify({ madeUp: at }))
    link.send({ type: 'statements', from: 2, lines: junk })
    const before = await changedBy(gateway, link, keys)
    const next = gateway.connection()
    link.drop()
    const honest = await next
    gateway.sign({ ...about, kind: 'revoke', target: phone })
    tellWorld(gateway, honest)
    const after = await changedBy(gateway, honest, keys)
    return {
      open: after === 'done',
      control: before === 'done',
      saw: `a seal of the stolen phone: ${before} before it was revoked, ${after} after it`,
    }
  },
}

async function changedBy(gateway: ScriptedGateway, link: ScriptedLink, keys: KeyPair): Promise<string> {
  const content = `written ${Math.random()}`
  const wish = { tool: 'device_write_file', args: { node: 'laptop', path: 'a.txt', content } }
  const permit = await approvedPermit(gateway, link, wish)
  const decidedAt = new Date().toISOString()
  const signature = signText(keys.privateKey, sealText(digestOf(permit.subject), phone, decidedAt))
  return (await link.execute({ ...permit, seal: { by: 'device', device: phone, decidedAt, signature } })).kind
}
