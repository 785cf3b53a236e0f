/**
 * Makes and seals the permit of a trial as a gateway and its operator would, with keys that were made for the trial
 * and trusted by nobody else.
 */
import { randomBytes, randomUUIDv7 } from 'node:crypto'
import {
  type ApprovalSubject,
  buildWhat,
  idFrom,
  operatorLabel,
  type Permit,
  type Resolution,
  type RunId,
  sealText,
  type Tier,
  type ToolFacts,
  whatText,
} from '@countersign/contract'
import {
  digestOf,
  fingerprint,
  type HostIdentity,
  type KeyPair,
  sha256Hex,
  signText,
} from '@countersign/contract/node'
import { leastTier } from '../verify.ts'

export interface PermitMaker {
  readonly identity: HostIdentity
  readonly gatewayKey: KeyPair
  readonly world: { readonly policy: string; readonly epoch: number }
}

const lifetimeMs = 60 * 60_000

export function makePermit(
  permitMaker: PermitMaker,
  facts: ToolFacts,
  args: string,
  resolution: Resolution,
): Permit {
  const at = new Date()
  const subject = subjectFor(permitMaker, { facts, args, resolution, at })
  return { subject, seal: sealOf(permitMaker, subject, at) }
}

export interface ScratchCall {
  readonly facts: ToolFacts
  readonly args: string
  readonly resolution: Resolution
  readonly at: Date
  /** Left out, the least that its effects can have. */
  readonly tier?: Tier | undefined
  /** Left out, a run of its own. */
  readonly run?: RunId | undefined
}

export function subjectFor(
  permitMaker: Pick<PermitMaker, 'identity' | 'world'>,
  { facts, args, resolution, at, ...wanted }: ScratchCall,
): ApprovalSubject {
  const { trust } = permitMaker.identity
  const uuid = () => randomUUIDv7()
  const tier = wanted.tier ?? (leastTier(resolution, facts.floor) as Tier)
  const isAsked = tier >= 2
  const run = wanted.run ?? idFrom('run', uuid())
  return {
    v: 2,
    audience: { executor: trust.executor.id, key: fingerprint(trust.executor.key) },
    gateway: { id: trust.gateway.id, epoch: permitMaker.world.epoch },
    operator: trust.operator,
    tool: { name: facts.name, version: facts.version, definition: facts.definition, effect: facts.effect },
    args,
    argsHash: sha256Hex(args),
    hidden: [],
    own: [],
    resources: resolution.resources,
    sandbox: resolution.sandbox,
    egress: resolution.egress,
    secrets: resolution.secrets,
    provenance: operatorLabel,
    cause: 'input',
    session: idFrom('ses', uuid()),
    run,
    call: idFrom('call', uuid()),
    turn: 1,
    agent: 'main',
    requester: { kind: 'operator', id: trust.operator },
    policy: permitMaker.world.policy,
    decision: isAsked ? 'ask' : 'allow',
    rules: ['trial'],
    tier,
    approvers: [trust.operator],
    approval: isAsked ? idFrom('apr', uuid()) : null,
    grant: null,
    chain: [
      { kind: 'operator', id: trust.operator, name: '' },
      { kind: 'agent', id: 'main', name: 'main' },
      { kind: 'run', id: run, name: run },
      { kind: 'tool', id: facts.name, name: facts.name },
    ],
    what: sha256Hex(whatText(buildWhat(facts, args, resolution.effects))),
    why: sha256Hex('trial'),
    createdAt: at.toISOString(),
    notAfter: new Date(at.getTime() + lifetimeMs).toISOString(),
    maxUses: 1,
    nonce: randomBytes(16).toString('hex'),
    key: uuid(),
  }
}

function sealOf({ identity, gatewayKey }: PermitMaker, subject: ApprovalSubject, at: Date): Permit['seal'] {
  const decidedAt = at.toISOString()
  const digest = digestOf(subject)
  if (subject.tier < 3) {
    const text = sealText(digest, identity.trust.gateway.id, decidedAt)
    return { by: 'gateway', decidedAt, signature: signText(gatewayKey.privateKey, text) }
  }
  const { id, keys } = identity.device
  const text = sealText(digest, id, decidedAt)
  return { by: 'device', device: id, decidedAt, signature: signText(keys.privateKey, text) }
}
