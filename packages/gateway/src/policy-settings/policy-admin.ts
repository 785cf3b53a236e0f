/**
 * Owns changing the policy: who may, by which seal, and that the files of the machine say it too. A change that could
 * let anything more through takes the operator's passkey, once there is one.
 */
import {
  type ApplyPolicy,
  type Autonomy,
  CountersignError,
  isFresh,
  type OperatorId,
  type PolicyDocument,
  PolicyDraft,
  permitLifetimeMs,
  plainPolicy,
  policyChangeText,
  type Tier,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import type { TrustSource } from '@countersign/executor'
import {
  type Actor,
  type Kernel,
  type Loosening,
  type PolicyVersion,
  type SealChecks,
  stepUpError,
} from '@countersign/kernel'
import type { ToolRegistry } from '@countersign/tools'
import type { Config } from '../config.ts'
import type { RequestSender } from '../server/request-sender.ts'
import { requireFilesInStep, writePolicyFiles } from './policy-files.ts'
import type { StandingPolicy } from './standing-policy.ts'

export interface PolicyAdmin {
  readonly kernel: Pick<Kernel, 'policies' | 'simulate' | 'pastCalls'>
  readonly clock: () => Date
  document(): PolicyDocument
  fixed(): { readonly autonomy: string | null; readonly passkeyTools: string | null }
  hasPasskey(): Promise<boolean>
  loosenings(document: PolicyDocument): readonly Loosening[]
  simulate(operator: OperatorId, document: PolicyDocument, since: Date): ReturnType<Kernel['simulate']>
  /** The tier that a tool never goes below by itself. */
  floorOf(tool: string): Tier | undefined
  apply(by: RequestSender, change: ApplyPolicy): Promise<{ version: PolicyVersion; ledger: number }>
  /** Writes a rule that refuses, and nothing else: what would let more through is refused itself. */
  refuse(by: Actor, refusal: StandingRefusal): Promise<{ version: PolicyVersion; ledger: number }>
  /** For whoever asks for a proof in their own way, and says whether it was shown. */
  setLevel(level: Autonomy, by: Actor, proven: boolean): Promise<void>
  /** Writes the files that a change before this start did not get to. */
  catchUp(): Promise<void>
}

export interface StandingRefusal {
  /** The one that was denied. */
  readonly approval: string
  readonly code: string
  readonly rule: string
}

export interface PolicyAdminParts {
  readonly kernel: Kernel
  readonly config: Config
  readonly standing: StandingPolicy
  readonly autonomyFixed: () => string | null
  readonly seals: SealChecks
  readonly trust: TrustSource
  readonly registry: Pick<ToolRegistry, 'find'>
  readonly clock: () => Date
  readonly onProblem: (problem: unknown) => void
}

export function createPolicyAdmin(parts: PolicyAdminParts): PolicyAdmin {
  const { kernel, clock } = parts
  const { policies } = kernel
  const floorOf = (tool: string) => parts.registry.find(tool)?.facts.floor
  return {
    kernel,
    clock,
    document: () => policies.version().document,
    fixed: () => fixedParts(parts),
    hasPasskey: () => hasPasskey(parts.trust),
    loosenings: policies.loosenings,
    simulate: (operator, document, since) =>
      kernel.simulate(operator, document, {
        since,
        floorOf,
      }),
    floorOf,
    async apply(by, change) {
      const { base, document, seal } = change
      requireChangeable(parts, document)
      requireLoaded(parts)
      const mayLoosen = await requireSeal(parts, by, change)
      const changed = await policies.change({ base, document, actor: by.actor, seal, mayLoosen })
      await write(parts, changed.version)
      return changed
    },
    refuse: (actor, refusal) => refuse(parts, actor, refusal),
    async setLevel(level, actor, proven) {
      const { number: base, document: before } = policies.version()
      if (before.autonomy === level) return
      requireLoaded(parts)
      const document = { ...before, autonomy: level }
      const mayLoosen = proven || !(await hasPasskey(parts.trust))
      const { version } = await policies.change({ base, document, actor, seal: null, mayLoosen })
      await write(parts, version)
    },
    async catchUp() {
      const version = policies.version()
      if (version.written_at === null) await write(parts, version)
    },
  }
}

/** Where refusals that were made on a request are kept, beside the files that people write. */
const refusalFile = 'denied.cedar'
const refusalAttempts = 3

async function refuse(
  parts: PolicyAdminParts,
  actor: Actor,
  refusal: StandingRefusal,
): Promise<{ version: PolicyVersion; ledger: number }> {
  const { policies } = parts.kernel
  requireLoaded(parts)
  for (let attempt = 1; ; attempt += 1) {
    const { number: base, document: before } = policies.version()
    try {
      const document = withRefusal(before, refusal)
      if (!PolicyDraft.safeParse(document).success)
        throw new CountersignError('limit_reached', 'Your rules are too long for another one.', {
          next: 'Remove rules on the Policy page, or write one that covers more.',
        })
      const changed = await policies.change({ base, document, actor, seal: null, mayLoosen: false })
      await write(parts, changed.version)
      return changed
    } catch (error) {
      // Somebody else changed the policy between the look and the change.
      if (policies.version().number === base || attempt >= refusalAttempts) throw error
    }
  }
}

function withRefusal(document: PolicyDocument, { approval, code, rule }: StandingRefusal): PolicyDocument {
  const before = document.files.find(({ name }) => name === refusalFile)?.text ?? ''
  const marks = `@id("denied.${approval}")\n@why("You chose always to deny this on request ${code}.")`
  const text = `${before === '' || before.endsWith('\n') ? before : `${before}\n`}${marks}\n${rule}\n`
  return {
    ...document,
    files: [...document.files.filter(({ name }) => name !== refusalFile), { name: refusalFile, text }],
  }
}

function fixedParts({ config, autonomyFixed }: PolicyAdminParts) {
  const tools = 'The variable COUNTERSIGN_PASSKEY_TOOLS of the gateway sets them.'
  return { autonomy: autonomyFixed(), passkeyTools: config.passkeyToolsFixed === true ? tools : null }
}

/** What cannot be written now is written at the next start; until then the version stands above the files. */
async function write(parts: PolicyAdminParts, { number, document }: PolicyVersion): Promise<void> {
  const { autonomy, passkeyTools } = fixedParts(parts)
  const keep = { autonomy: autonomy !== null, passkeyTools: passkeyTools !== null }
  try {
    writePolicyFiles(parts.config.paths, document, keep)
    await parts.kernel.policies.written(number)
  } catch (error) {
    parts.onProblem(error)
  }
}

/** Without a readable trust file it is unknown whether a passkey is needed, and doubt refuses. */
async function hasPasskey(trust: TrustSource): Promise<boolean> {
  const believed = await trust.current()
  if ('problem' in believed)
    throw new CountersignError('config_invalid', `The trust file could not be loaded: ${believed.problem}.`)
  return believed.passkeys.size > 0
}

/** A version that could not be written yet stands above the files, whatever they say. */
function requireLoaded({ kernel, config }: PolicyAdminParts): void {
  const { document, written_at: written } = kernel.policies.version()
  if (written !== null) requireFilesInStep(config.paths, document)
}

function requireChangeable(parts: PolicyAdminParts, document: PolicyDocument): void {
  const now = parts.kernel.policies.version().document
  const { autonomy, passkeyTools } = fixedParts(parts)
  const tools = (each: PolicyDocument) => plainPolicy(each).passkeyTools.join()
  const reason =
    (document.autonomy === now.autonomy ? null : autonomy) ??
    (tools(document) === tools(now) ? null : passkeyTools)
  if (reason !== null)
    throw new CountersignError('conflict', `This cannot be changed here. ${reason}`, {
      next: 'Unset the variable and start the gateway again.',
    })
}

/** Says whether the seal is enough to loosen anything. */
async function requireSeal(
  parts: PolicyAdminParts,
  by: RequestSender,
  { base, document, seal }: ApplyPolicy,
): Promise<boolean> {
  const { kernel, seals, clock } = parts
  const guarded = await hasPasskey(parts.trust)
  const inPerson = guarded && kernel.policies.loosenings(document).length > 0
  if (inPerson && seal.by !== 'passkey') throw stepUpError()
  if (seal.by === 'device' && seal.device !== by.device)
    throw new CountersignError('not_authenticated', 'The change was sealed by another device.')
  if (!isFresh(seal.decidedAt, clock())) {
    const minutes = permitLifetimeMs / 60_000
    throw new CountersignError('expired', `A seal must arrive within ${minutes} minutes. Seal it again.`)
  }
  const digest = sha256Hex(policyChangeText({ gateway: kernel.gateway, base, document }))
  const problem = await seals.check(seal, digest, inPerson ? 4 : 3)
  if (problem !== null) throw new CountersignError('not_authenticated', `The seal is not valid: ${problem}.`)
  return inPerson || !guarded
}
