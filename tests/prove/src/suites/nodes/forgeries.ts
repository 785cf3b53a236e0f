/** Owns what a dishonest gateway may send for a call: every way that we know to have it run without the operator's word. */
import { randomUUIDv7 } from 'node:crypto'
import {
  type ApprovalSubject,
  idFrom,
  type Permit,
  type Resource,
  sealText,
  type Tier,
} from '@countersign/contract'
import { digestOf, generateKey, type KeyPair, sha256Hex, signText } from '@countersign/contract/node'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import type { ScriptedGateway } from '../../../../../packages/node/src/testing/scripted-gateway.ts'

export interface ForgedCall {
  /** As an honest gateway would bind it. */
  readonly subject: ApprovalSubject
  /** Of what it does, whatever is said of it. */
  readonly tier: Tier
  /** Another call of the same node, that needs nobody. */
  readonly harmless: ApprovalSubject
}

export interface Forger {
  readonly gateway: ScriptedGateway
  readonly random: Random
  /** A device that the gateway made up and named to the node. */
  readonly device: { readonly id: ReturnType<typeof idFrom<'dev'>>; readonly keys: KeyPair }
  readonly stranger: KeyPair
  /** Of a permit that the node has run. */
  readonly usedNonce: string
}

type Forge = (call: ForgedCall, forger: Forger) => Permit

/** These need the operator's word: the gateway says that it needs none, or gives a word of its own. */
export const forgedWords: Readonly<Record<string, Forge>> = {
  'own key': ({ subject }, forger) => byGateway(subject, forger),
  'own key, and a lower tier': ({ subject }, forger) => byGateway(declared(subject, 2), forger),
  'own key, and the lowest tier': ({ subject }, forger) => byGateway(declared(subject, 0), forger),
  'own key, and a rule of the operator': ({ subject }, forger) =>
    byGateway({ ...declared(subject, 2), decision: 'allow', approval: null, grant: 'rule:mine' }, forger),
  'own key, under the name of a harmless tool': ({ subject, harmless }, forger) =>
    byGateway({ ...declared(subject, harmless.tier), tool: harmless.tool }, forger),
  'own key, with the look of a harmless call': ({ subject, harmless }, forger) => {
    const { resources, sandbox, egress, what } = harmless
    return byGateway({ ...declared(subject, harmless.tier), resources, sandbox, egress, what }, forger)
  },
  'a device of its own': ({ subject }, forger) => byDevice(subject, forger.device.id, forger.device.keys),
  'the operator’s device, by another key': ({ subject }, forger) =>
    byDevice(subject, forger.gateway.identity.device.id, forger.stranger),
  'the operator’s device, by the key of the gateway': ({ subject }, forger) =>
    byDevice(subject, forger.gateway.identity.device.id, forger.gateway.gatewayKey),
  'the seal of a harmless call': ({ subject, harmless }, forger) => ({
    subject,
    seal: byOperator(harmless, forger).seal,
  }),
  'a passkey of its own': ({ subject }) => ({
    subject,
    seal: {
      by: 'passkey',
      credential: 'c'.repeat(24),
      decidedAt: new Date().toISOString(),
      authenticatorData: 'AAAA',
      clientData: 'AAAA',
      signature: 'AAAA',
    },
  }),
}

/** The operator did give a word, but not for this, not here, or not now. */
export const misusedWords: Readonly<Record<string, Forge>> = {
  'changed after the seal': (call, forger) => {
    const { subject, seal } = byOperator(call.subject, forger)
    return { subject: forger.random.pick(changes)(subject, call), seal }
  },
  'of another node': ({ subject }, forger) => {
    const [node, executor, key] = [
      idFrom('node', randomUUIDv7()),
      idFrom('exe', randomUUIDv7()),
      sha256Hex('other'),
    ]
    const there = (each: Resource): Resource =>
      each.type === 'node' ? { ...each, node, executor, key, name: 'desk' } : each
    return byOperator(
      { ...subject, audience: { executor, key }, resources: subject.resources.map(there) },
      forger,
    )
  },
  'for another executor': ({ subject }, forger) =>
    byOperator(
      { ...subject, audience: { ...subject.audience, executor: idFrom('exe', randomUUIDv7()) } },
      forger,
    ),
  'for another key': ({ subject }, forger) =>
    byOperator({ ...subject, audience: { ...subject.audience, key: sha256Hex('other') } }, forger),
  'for another operator': ({ subject }, forger) =>
    byOperator({ ...subject, operator: idFrom('op', randomUUIDv7()) }, forger),
  'of another gateway': ({ subject }, forger) =>
    byOperator({ ...subject, gateway: { ...subject.gateway, id: idFrom('gw', randomUUIDv7()) } }, forger),
  'of an older epoch': ({ subject }, forger) =>
    byOperator({ ...subject, gateway: { ...subject.gateway, epoch: subject.gateway.epoch - 1 } }, forger),
  'under another policy': ({ subject }, forger) =>
    byOperator({ ...subject, policy: sha256Hex('other') }, forger),
  'of eleven minutes ago': ({ subject }, forger) =>
    byOperator(subject, forger, new Date(Date.now() - 11 * 60_000)),
  'after its end': ({ subject }, forger) =>
    byOperator({ ...subject, notAfter: new Date(Date.now() - 1).toISOString() }, forger),
  'with another card': ({ subject }, forger) => byOperator({ ...subject, what: sha256Hex('other') }, forger),
  'with a secret': ({ subject }, forger) => byOperator({ ...subject, secrets: ['key'] }, forger),
  'under a number that was used': ({ subject }, forger) =>
    byOperator({ ...subject, nonce: forger.usedNonce }, forger),
}

/** As the operator would approve it. */
export function byOperator(
  subject: ApprovalSubject,
  { gateway }: Pick<Forger, 'gateway'>,
  at = new Date(),
): Permit {
  const { id, keys } = gateway.identity.device
  return byDevice(subject, id, keys, at)
}

export function byGateway(subject: ApprovalSubject, { gateway }: Pick<Forger, 'gateway'>): Permit {
  const decidedAt = new Date().toISOString()
  const text = sealText(digestOf(subject), gateway.identity.trust.gateway.id, decidedAt)
  return {
    subject,
    seal: { by: 'gateway', decidedAt, signature: signText(gateway.gatewayKey.privateKey, text) },
  }
}

/** A device that nobody let in, and statements of the gateway's own that say otherwise. */
export function inventDevice(gateway: ScriptedGateway): {
  readonly device: Forger['device']
  readonly statements: readonly string[]
} {
  const device = { id: idFrom('dev', randomUUIDv7()), keys: generateKey() }
  const statement = {
    v: 1,
    gateway: gateway.identity.trust.gateway.id,
    at: new Date().toISOString(),
    kind: 'device',
    device: device.id,
    key: device.keys.publicKey,
    name: 'mine',
    platform: '',
    reach: 3,
  }
  const signers = [
    { device: gateway.identity.device.id, keys: gateway.gatewayKey },
    { device: device.id, keys: device.keys },
  ]
  const statements = signers.map(({ device: by, keys }) =>
    JSON.stringify({
      statement,
      by: {
        device: by,
        signature: signText(keys.privateKey, `countersign/trust/v1\0${JSON.stringify(statement)}`),
      },
      passkey: null,
    }),
  )
  return { device, statements }
}

function byDevice(
  subject: ApprovalSubject,
  device: Forger['device']['id'],
  keys: KeyPair,
  at = new Date(),
): Permit {
  const decidedAt = at.toISOString()
  const signature = signText(keys.privateKey, sealText(digestOf(subject), device, decidedAt))
  return { subject, seal: { by: 'device', device, decidedAt, signature } }
}

/** Another tier, with all that an honest subject of that tier has. */
function declared(subject: ApprovalSubject, tier: Tier): ApprovalSubject {
  const isAsked = tier >= 2
  return {
    ...subject,
    tier,
    decision: isAsked ? 'ask' : 'allow',
    approval: isAsked ? (subject.approval ?? idFrom('apr', randomUUIDv7())) : null,
  }
}

const otherHex = (text: string) => `${text.startsWith('0') ? '1' : '0'}${text.slice(1)}`

const changes: readonly ((subject: ApprovalSubject, call: ForgedCall) => ApprovalSubject)[] = [
  (subject) => ({ ...subject, args: `${subject.args} ` }),
  (subject, { harmless }) => ({ ...subject, args: harmless.args, argsHash: harmless.argsHash }),
  (subject, { harmless }) => ({ ...subject, tool: harmless.tool }),
  (subject, { harmless }) => ({ ...subject, resources: harmless.resources }),
  (subject) => ({ ...subject, nonce: otherHex(subject.nonce) }),
  (subject) => ({ ...subject, tier: subject.tier === 4 ? 3 : 4 }),
  (subject) => ({ ...subject, key: `${subject.key}2` }),
  (subject) => ({ ...subject, run: idFrom('run', randomUUIDv7()) }),
  (subject) => ({ ...subject, notAfter: new Date(Date.parse(subject.notAfter) + 1).toISOString() }),
  (subject) => ({ ...subject, cause: `${subject.cause} ` }),
  (subject) => ({ ...subject, what: otherHex(subject.what) }),
  (subject) => ({ ...subject, why: otherHex(subject.why) }),
]
