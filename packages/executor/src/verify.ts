/**
 * Decides whether a permit holds here and now. Doubt refuses. The checks that touch nothing come first, the seal
 * next, and only a sealed permit makes the executor look at the world.
 */
import { Buffer } from 'node:buffer'
import type { KeyObject } from 'node:crypto'
import {
  type ApprovalSubject,
  buildWhat,
  canonicalText,
  chainProblem,
  type Effect,
  type ExecutorId,
  type JsonObject,
  NotCanonical,
  Permit,
  parseStrict,
  permitLifetimeMs,
  type Resolution,
  type ResolveReply,
  type Resource,
  type Seal,
  sealText,
  usedSecrets,
  whatText,
} from '@countersign/contract'
import { digestOf, sha256Hex, type VerifyPasskey, verifyText } from '@countersign/contract/node'
import {
  type Catalogue,
  type ExecutorTool,
  type NodeTool,
  parseArgs,
  type RecordTool,
  type ToolDefinition,
} from '@countersign/tools'
import { largestSkewMs, type PermitClock } from './clock.ts'
import { verifyPasskey } from './passkey.ts'
import type { TrustedKeys, TrustSource } from './trust.ts'

/** What holds now, as far as this executor knows. */
export interface PermitWorld {
  /** Which tools are run here. */
  readonly runs: PermittedTool['runs']
  readonly executor: { readonly id: ExecutorId; readonly fingerprint: string }
  readonly trust: TrustSource
  readonly catalogue: Catalogue
  readonly clock: PermitClock
  /** Every call of these needs a passkey, whatever the gateway says of its tier. */
  readonly passkeyTools: readonly string[]
  /** Said by the gateway; nothing runs before it has been. */
  current(): { readonly policy: string; readonly epoch: number } | undefined
  resolve(tool: string, args: string): Promise<ResolveReply>
}

export type PermitVerdict =
  | { readonly kind: 'valid'; readonly call: PermittedCall }
  | { readonly kind: 'refused'; readonly reason: string }

/** What is run under a permit: here, on a node, or in the gateway. */
export type PermittedTool = ExecutorTool | NodeTool | RecordTool

/** A call that a permit was verified for. Nothing else can be run. */
export interface PermittedCall {
  readonly subject: ApprovalSubject
  readonly tool: PermittedTool
  readonly args: JsonObject
}

export interface PermitUnderCheck {
  readonly permit: Permit
  readonly digest: string
  readonly trusted: TrustedKeys
  readonly world: PermitWorld
  /** Looks at what the call touches, once for all checks. */
  resolve(): Promise<ResolveReply>
}

/** Says why the permit does not hold, or nothing. */
export type PermitCheck = (inHand: PermitUnderCheck) => string | null | Promise<string | null>

export interface PermitChecks {
  readonly audience: PermitCheck
  readonly gateway: PermitCheck
  readonly epoch: PermitCheck
  readonly tool: PermitCheck
  readonly args: PermitCheck
  readonly decision: PermitCheck
  readonly time: PermitCheck
  readonly policy: PermitCheck
  readonly seal: PermitCheck
  readonly resolution: PermitCheck
  readonly chain: PermitCheck
  readonly card: PermitCheck
}

/** In the order in which they are made. */
export const permitChecks: PermitChecks = {
  audience: checkAudience,
  gateway: checkGateway,
  epoch: checkEpoch,
  tool: checkTool,
  args: checkArgs,
  decision: checkDecision,
  time: checkTime,
  policy: checkPolicy,
  seal: ({ permit, digest, trusted }) => checkSeal(permit.seal, digest, permit.subject.tier, trusted),
  resolution: checkResolution,
  chain: checkChain,
  card: checkCard,
}

export async function verifyPermit(
  permit: unknown,
  world: PermitWorld,
  checks: PermitChecks = permitChecks,
): Promise<PermitVerdict> {
  const read = readPermit(permit)
  return 'problem' in read ? refused(read.problem) : verifyRead(read, world, checks)
}

export interface ReadPermit {
  readonly permit: Permit
  readonly digest: string
}

/** Refuses what has not the shape of a permit, and text that has no canonical form and so no digest. */
export function readPermit(value: unknown): ReadPermit | { readonly problem: string } {
  const parsed = Permit.safeParse(value)
  if (!parsed.success) return { problem: `not a permit: ${parsed.error.issues[0]?.path.join('.') ?? ''}` }
  try {
    return { permit: parsed.data, digest: digestOf(parsed.data.subject) }
  } catch (error) {
    if (error instanceof NotCanonical) return { problem: `not a permit: ${error.message}` }
    throw error
  }
}

export async function verifyRead(
  { permit, digest }: ReadPermit,
  world: PermitWorld,
  checks: PermitChecks = permitChecks,
): Promise<PermitVerdict> {
  const trusted = await world.trust.current()
  if ('problem' in trusted) return refused(trusted.problem)
  let reply: Promise<ResolveReply> | undefined
  const resolve = () => (reply ??= world.resolve(permit.subject.tool.name, permit.subject.args))
  const inHand: PermitUnderCheck = { permit, digest, trusted, world, resolve }
  for (const check of Object.values(checks) as PermitCheck[]) {
    const reason = await check(inHand)
    if (reason !== null) return refused(reason)
  }
  const { subject } = permit
  const tool = runnable(subject, world)
  const args = parseStrict(subject.args)
  if (!tool || args.kind !== 'value') return refused('the call cannot be run here')
  return { kind: 'valid', call: { subject, tool, args: args.value as JsonObject } }
}

/**
 * Says why a seal does not let a call of this tier run, or nothing. The gateway asks the same for an early answer;
 * the executor has the last word.
 */
export async function checkSeal(
  seal: Seal,
  digest: string,
  tier: number,
  trusted: Pick<TrustedKeys, 'gateway' | 'devices' | 'passkeys' | 'origins'>,
  verify: VerifyPasskey = verifyPasskey,
): Promise<string | null> {
  if (tier >= 4 && seal.by !== 'passkey') return 'tier 4 needs the seal of a passkey'
  switch (seal.by) {
    case 'gateway':
      if (tier >= 3) return 'tier 3 needs the seal of a device of the operator'
      return fits(trusted.gateway.key, sealText(digest, trusted.gateway.id, seal.decidedAt), seal.signature)
    case 'device': {
      const device = trusted.devices.get(seal.device)
      if (!device) return 'sealed by a device that is unknown or revoked'
      if (device.reach === 0 || device.reach < tier)
        return `sealed by a device that may not approve tier ${tier}`
      return fits(device.key, sealText(digest, seal.device, seal.decidedAt), seal.signature)
    }
    case 'passkey': {
      const passkey = trusted.passkeys.get(seal.credential)
      if (!passkey) return 'sealed by a passkey that is unknown or revoked'
      const { credential, authenticatorData, clientData, signature } = seal
      const proof = { credential, authenticatorData, clientData, signature }
      const text = sealText(digest, credential, seal.decidedAt)
      return (await verify(proof, { key: passkey.key, site: passkey.site, text, origins: trusted.origins }))
        ? null
        : 'the seal of the passkey does not fit the permit'
    }
  }
}

function fits(key: KeyObject, text: string, signature: string): string | null {
  // Two spellings of one signature would be two permits.
  if (Buffer.from(signature, 'base64').toString('base64') !== signature) return 'the seal is not canonical'
  return verifyText(key, text, signature) ? null : 'the seal does not fit the permit'
}

/**
 * The least tier that a call can have by what it does and touches. Policy may say more, never less, and the executor
 * does not take policy's word for it.
 */
export function leastTier({ effects, resources }: TouchedResources, floor: number): number {
  const accepted = resources.flatMap((each) => (each.type === 'server-tool' ? [each.tier] : []))
  const tier = Math.max(...accepted, ...effects.map(tierOf), floor)
  if (resources.some(isUninspectable)) return Math.max(tier, 3)
  return tier < 3 && resources.some(isInnerAddress) ? tier + 1 : tier
}

type TouchedResources = Pick<Resolution, 'effects' | 'resources'>

function tierOf({ verb, scope, reversible, outward }: Effect): number {
  if (verb === 'authority') return 4
  if (outward || verb === 'execute' || verb === 'send' || verb === 'spend') return 3
  if (!reversible && verb !== 'ask') return 3
  const changes = verb === 'write' || verb === 'delete'
  // Such a change is run by programs of the host without anybody starting them.
  if (changes && scope === 'boundary') return 3
  if (scope !== 'inside') return 2
  return changes ? 1 : 0
}

/** Over a view nothing that a program does counts before it was judged. */
function isUninspectable(resource: Resource): boolean {
  return resource.type === 'exec' && resource.uninspectable && !resource.view
}

function isInnerAddress(resource: Resource): boolean {
  return resource.type === 'url' && resource.addressClass !== 'public' && resource.addressClass !== 'name'
}

function floorOf(tool: string, { catalogue, passkeyTools }: PermitWorld): number {
  return passkeyTools.includes(tool) ? 4 : (catalogue.find(tool)?.floor ?? 4)
}

function runnable(
  { tool: { name } }: ApprovalSubject,
  world: PermitWorld,
): PermittedCall['tool'] | undefined {
  const tool = world.catalogue.definition(name)
  return tool && runsHere(tool, world) ? tool : undefined
}

function runsHere(tool: ToolDefinition, { runs }: PermitWorld): tool is PermittedCall['tool'] {
  return tool.runs === runs
}

function refused(reason: string): PermitVerdict {
  return { kind: 'refused', reason }
}

function checkAudience({ permit: { subject }, trusted, world }: PermitUnderCheck): string | null {
  const { id, fingerprint } = world.executor
  const { executor, key } = subject.audience
  if (executor !== id || key !== fingerprint || trusted.executor.id !== id) return 'made for another executor'
  return null
}

function checkGateway({ permit: { subject }, trusted }: PermitUnderCheck): string | null {
  if (subject.gateway.id !== trusted.gateway.id) return 'made by another gateway'
  return subject.operator === trusted.operator ? null : 'made for another operator'
}

function checkEpoch({ permit: { subject }, world }: PermitUnderCheck): string | null {
  const current = world.current()
  if (!current) return 'the gateway has not announced its state yet'
  return subject.gateway.epoch === current.epoch ? null : 'made in another epoch of the gateway'
}

function checkTool({ permit: { subject }, world }: PermitUnderCheck): string | null {
  const facts = world.catalogue.find(subject.tool.name)
  if (!facts || !runnable(subject, world)) return `there is no tool ${subject.tool.name} here`
  const { version, definition, effect } = subject.tool
  if (version !== facts.version || definition !== facts.definition || effect !== facts.effect) {
    return `the tool ${subject.tool.name} has changed since`
  }
  return null
}

function checkArgs({ permit: { subject }, world }: PermitUnderCheck): string | null {
  if (sha256Hex(subject.args) !== subject.argsHash) return 'the arguments do not match their hash'
  const strict = parseStrict(subject.args)
  const tool = world.catalogue.definition(subject.tool.name)
  if (strict.kind === 'refused' || !tool) return 'the arguments are not strict JSON'
  const parsed = parseArgs(tool, strict.value)
  if (parsed.kind === 'invalid') return `the arguments do not fit the tool: ${parsed.problems.join('; ')}`
  return canonicalText(parsed.args) === subject.args ? null : 'the arguments are not canonical'
}

function checkDecision({ permit: { subject }, world }: PermitUnderCheck): string | null {
  const { tier, decision, approval, grant } = subject
  const secrets = usedSecrets(world.catalogue.find(subject.tool.name), subject.args, subject.secrets)
  if ((decision === 'ask') !== (approval !== null))
    return 'the decision and the approval contradict each other'
  if (secrets.length > 0 && approval === null) return 'the use of a secret needs an approval'
  if (tier < 2 || decision === 'ask') return null
  return tier === 2 && grant !== null ? null : `tier ${tier} needs an approval`
}

function checkTime({ permit: { subject, seal }, world }: PermitUnderCheck): string | null {
  const decidedAt = Date.parse(seal.decidedAt)
  const now = world.clock.now()
  if (decidedAt > now + largestSkewMs) return 'decided in the future'
  if (now >= decidedAt + permitLifetimeMs || now >= Date.parse(subject.notAfter))
    return 'the permit has expired'
  return decidedAt <= world.clock.voidedUntil() ? 'the clock was set while the permit was outstanding' : null
}

function checkPolicy({ permit: { subject }, world }: PermitUnderCheck): string | null {
  return subject.policy === world.current()?.policy ? null : 'made under another policy'
}

async function checkResolution({
  permit: { subject },
  world,
  resolve,
}: PermitUnderCheck): Promise<string | null> {
  const reply = await resolve()
  if (reply.kind !== 'resolved') return `it can no longer be done: ${reply.reason}`
  const { resources, sandbox, egress, secrets } = reply.resolution
  if (canonicalText(resources) !== canonicalText(subject.resources))
    return 'what the call touches has changed since'
  if (secrets.join() !== subject.secrets.join()) return 'the secrets that it would use have changed since'
  if (sandbox !== subject.sandbox || egress !== subject.egress) return 'the confinement has changed since'
  const least = leastTier(reply.resolution, floorOf(subject.tool.name, world))
  return subject.tier >= least ? null : `tier ${subject.tier} is too low for what it does: at least ${least}`
}

/** Who asked is data of the gateway. What can be known here is that it belongs to this call and not to another. */
function checkChain({ permit: { subject } }: PermitUnderCheck): string | null {
  return chainProblem(subject)
}

/** What a person was shown, built again from the tool's code, the arguments and what the call touches here. */
async function checkCard({ permit: { subject }, world, resolve }: PermitUnderCheck): Promise<string | null> {
  const tool = world.catalogue.find(subject.tool.name)
  const reply = await resolve()
  if (!tool || reply.kind !== 'resolved') return 'its card cannot be built here'
  const what = buildWhat(tool, subject.args, reply.resolution.effects)
  return sha256Hex(whatText(what)) === subject.what ? null : 'its card is not the card of this call'
}
