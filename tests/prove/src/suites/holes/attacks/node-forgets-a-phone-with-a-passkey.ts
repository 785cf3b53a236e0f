/** A phone was stolen, and the node was told to forget it. Its thief has the passkey on it, and works with the gateway. */
import { idFrom, type SignedStatement, sealText, statementText } from '@countersign/contract'
import { digestOf, generateKey, signText } from '@countersign/contract/node'
import { createAuthenticator } from '../../../../../../packages/executor/src/testing/authenticator.ts'
import { forgetDevice } from '../../../../../../packages/node/src/statement-log.ts'
import {
  approvedPermit,
  type ScriptedLink,
} from '../../../../../../packages/node/src/testing/scripted-gateway.ts'
import type { Attack } from '../attack.ts'
import { type NodeOfGateway, nodeOfGateway } from '../node-of-a-gateway.ts'

const phone = idFrom('dev', '1'.repeat(32))
const thief = idFrom('dev', '2'.repeat(32))

export const attack: Attack = {
  name: 'node-forgets-a-phone-with-a-passkey',
  promise:
    'After a node was told to forget a device, neither that device nor a passkey on it lets anything run there.',
  mutant: 'passkeys-outlive-their-phone',
  async run(stage) {
    const node = await nodeOfGateway(stage)
    const { gateway, link, place } = node
    const passkey = createAuthenticator()
    const at = () => new Date().toISOString()
    const about = () => ({ v: 1 as const, gateway: gateway.identity.trust.gateway.id, at: at() })
    const { publicKey: key } = generateKey()
    gateway.sign({ ...about(), kind: 'device', device: phone, key, name: 'phone', platform: '', reach: 3 })
    const { credential } = passkey
    gateway.sign({
      ...about(),
      kind: 'passkey',
      credential,
      key: passkey.key,
      name: 'key',
      site: 'localhost',
    })
    link.send({ type: 'statements', from: 1, lines: linesOf(gateway.statements.slice(1)) })
    const bySeal = async () => {
      const permit = await wished(node)
      const decidedAt = at()
      const proof = passkey.prove(sealText(digestOf(permit.subject), credential, decidedAt))
      return (await link.execute({ ...permit, seal: { by: 'passkey', decidedAt, ...proof } })).kind
    }
    const before = await bySeal()
    forgetDevice(place.paths, phone)
    const after = await bySeal()
    const appointed = await byThief(node, link, (text) => passkey.prove(text), about())
    return {
      open: after === 'done' || appointed === 'done',
      control: before === 'done',
      saw: `a seal of the passkey: ${before}, then ${after}; of a device that it let in: ${appointed}`,
    }
  },
}

const linesOf = (all: readonly SignedStatement[]) => all.map((signed) => JSON.stringify(signed))

function wished({ gateway, link }: NodeOfGateway) {
  const content = `written ${Math.random()}`
  const wish = { tool: 'device_write_file', args: { node: 'laptop', path: 'a.txt', content } }
  return approvedPermit(gateway, link, wish)
}

/** The passkey alone lets a device of the thief's in, which then seals. */
async function byThief(
  node: NodeOfGateway,
  link: ScriptedLink,
  prove: (text: string) => NonNullable<SignedStatement['passkey']>,
  about: {
    readonly v: 1
    readonly gateway: NodeOfGateway['gateway']['identity']['trust']['gateway']['id']
    readonly at: string
  },
): Promise<string> {
  const keys = generateKey()
  const { publicKey: key } = keys
  const statement = {
    ...about,
    kind: 'device' as const,
    device: thief,
    key,
    name: 'tablet',
    platform: '',
    reach: 3 as const,
  }
  const signed: SignedStatement = { statement, by: null, passkey: prove(statementText(statement)) }
  link.send({ type: 'statements', from: node.gateway.statements.length, lines: linesOf([signed]) })
  const permit = await wished(node)
  const decidedAt = new Date().toISOString()
  const signature = signText(keys.privateKey, sealText(digestOf(permit.subject), thief, decidedAt))
  return (await link.execute({ ...permit, seal: { by: 'device', device: thief, decidedAt, signature } })).kind
}
