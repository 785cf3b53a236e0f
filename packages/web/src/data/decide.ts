/**
 * Owns how a decision leaves this browser. It recomputes the digest from the subject it was given, seals what it
 * computed, and calls nothing decided before the gateway has said so. Sending the same decision twice decides once.
 */

import {
  type ApprovalDetail,
  type ApprovalView,
  type CountersignError,
  claimsOf,
  type DecideApproval,
  type DecisionReply,
  type GrantRequest,
  isBroad,
  type PasskeyProof,
  type RefusalStop,
  type RuleRequest,
  ruleText,
  sealText,
} from '@countersign/contract'
import type { Client, Signer } from '@countersign/contract/client'
import { words } from '../words/deciding.ts'
import { backoffMs } from './backoff.ts'
import { sha256Hex } from './digest.ts'
import type { Passkeys } from './passkey.ts'

export type DecisionOutcome =
  | { readonly kind: 'decided'; readonly decided: DecisionReply }
  /** Somebody, or something, was quicker. */
  | { readonly kind: 'already'; readonly approval: ApprovalView }
  /** What the gateway would run is not what this page shows. Nothing was sent. */
  | { readonly kind: 'changed'; readonly problem: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'impossible'; readonly reason: string; readonly next: string }
  | { readonly kind: 'refused'; readonly error: CountersignError }
  /** No answer after every attempt: still pending as far as anybody knows. */
  | { readonly kind: 'unconfirmed' }

export interface DecisionProgress {
  /** Called when two seconds passed without an answer. The decision is sent again by itself. */
  readonly onUnconfirmed?: () => void
}

export interface Decider {
  readonly approve: (
    approval: ApprovalView,
    options?: {
      readonly grant?: GrantRequest
      /** The passkey to ask for at the highest tier; without it the one that was used last here. */
      readonly credential?: string
    } & DecisionProgress,
  ) => Promise<DecisionOutcome>
  readonly deny: (
    approval: ApprovalView,
    options?: {
      readonly reason?: string
      readonly stop?: boolean
      /** Such calls are refused from now on. */
      readonly always?: RefusalStop
    } & DecisionProgress,
  ) => Promise<DecisionOutcome>
  /** It waits that much longer. */
  readonly extend: (approval: ApprovalView, hours: number) => Promise<ExtensionOutcome>
  /** The agent answers in the card; the card stays pending. */
  readonly ask: (approval: ApprovalView, question: string) => Promise<RequestOutcome>
  /** Puts another request in the place of this one, judged anew and written by the operator. */
  readonly edit: (approval: ApprovalView, args: string) => Promise<RequestOutcome>
}

/** What came of something that decides nothing. */
export type RequestOutcome =
  | { readonly kind: 'done'; readonly ledger: number }
  | Extract<DecisionOutcome, { kind: 'refused' | 'unconfirmed' }>

/** With the end that the gateway set. */
export type ExtensionOutcome =
  | { readonly kind: 'done'; readonly ledger: number; readonly expiresAt: string }
  | Exclude<RequestOutcome, { kind: 'done' }>

export interface DeciderPorts {
  readonly client: Pick<
    Client,
    'approval' | 'decide' | 'extendApproval' | 'askAboutApproval' | 'editApproval'
  >
  readonly signer: Signer
  readonly passkeys: Passkeys
  /** The passkeys that the gateway believes, the one to ask for first. */
  readonly credentials: () => Promise<readonly string[]>
  readonly wait: (ms: number) => Promise<void>
  readonly chance: () => number
}

/** From this tier on a device seals the permit; at the highest a person proves their presence. */
const sealedFrom = 3
const personFrom = 4

/** An answer that takes longer than this is said to be missing. */
export const unconfirmedAfterMs = 2_000
const attempts = 4

export function createDecider(ports: DeciderPorts): Decider {
  return {
    async approve(approval, options = {}) {
      const { grant } = options
      let detail: ApprovalDetail
      try {
        detail = await ports.client.approval(approval.id)
      } catch (error) {
        return refusal(error)
      }
      // The card that was on the page, with the subject that is sent for: they must be of one another.
      const problem = await unsoundness({ ...detail, approval })
      if (problem !== null) return { kind: 'changed', problem }
      const { digest } = approval
      const { tier } = approval.card
      const proved =
        grant?.scope === 'rule' && isBroad(grant) ? await proveRule(ports, approval, grant) : null
      if (proved !== null && proved.kind !== 'proved') return proved
      const sealed =
        tier < sealedFrom
          ? null
          : tier >= personFrom
            ? await sealByPerson(ports, digest, options.credential)
            : await sealByDevice(ports, digest)
      if (sealed !== null && sealed.kind !== 'sealed') return sealed
      return deliver(
        ports,
        approval,
        {
          verdict: 'approve',
          digest,
          ...(grant === undefined ? {} : { grant }),
          ...(sealed === null ? {} : { seal: sealed.seal }),
          ...(proved === null ? {} : { proof: proved.proof }),
        },
        options,
      )
    },
    deny(approval, options = {}) {
      const { reason = '', stop = false, always } = options
      return deliver(
        ports,
        approval,
        { verdict: 'deny', reason, stop, ...(always === undefined ? {} : { always }) },
        options,
      )
    },
    extend: async ({ id }, hours) => {
      try {
        const { approval, ledger } = await ports.client.extendApproval(id, hours)
        return { kind: 'done', ledger, expiresAt: approval.expiresAt }
      } catch (error) {
        return refusal(error)
      }
    },
    ask: ({ id }, question) => request(() => ports.client.askAboutApproval(id, question)),
    edit: ({ id }, args) => request(() => ports.client.editApproval(id, args)),
  }
}

/** What to tell a person of an outcome, in one sentence. */
export function outcomeWords(outcome: DecisionOutcome): string {
  switch (outcome.kind) {
    case 'decided':
      return receiptWords(outcome.decided)
    case 'already':
      return alreadyWords(outcome.approval)
    case 'changed':
      return words.changed(outcome.problem)
    case 'cancelled':
      return words.cancelled
    case 'impossible':
      return words.impossible(outcome.reason, outcome.next)
    case 'refused':
      return words.refused(outcome.error.message, outcome.error.next)
    case 'unconfirmed':
      return words.unconfirmed
  }
}

function receiptWords({ approval, ledger, refusal }: DecisionReply): string {
  const receipt =
    approval.receipt ?? (approval.state === 'denied' ? words.denied(ledger) : words.approved(ledger))
  if (refusal === undefined) return receipt
  return `${receipt} ${refusal.kind === 'written' ? words.refusal.written(refusal.version) : words.refusal.failed(refusal.problem)}`
}

function alreadyWords({ state, decidedBy }: ApprovalView): string {
  const sentence = words.already[state]
  return decidedBy === null ? sentence : words.alreadyBy(sentence, decidedBy)
}

type ApproveVerdict = Extract<DecideApproval, { verdict: 'approve' }>
type DeviceSealed = { readonly kind: 'sealed'; readonly seal: NonNullable<ApproveVerdict['seal']> }

type PasskeyProved = { readonly kind: 'proved'; readonly proof: PasskeyProof }

/** Why what is shown is not what would be sealed, or null. */
async function unsoundness(detail: ApprovalDetail): Promise<string | null> {
  const claims = claimsOf(detail)
  if (claims.kind === 'unsound') return claims.problem
  for (const { text, hash, problem } of claims.hashes) if ((await sha256Hex(text)) !== hash) return problem
  return null
}

/** A rule that covers a whole tool, or never ends, needs the person as well as the device. */
async function proveRule(
  ports: DeciderPorts,
  { id, digest }: ApprovalView,
  rule: RuleRequest,
): Promise<PasskeyProved | DecisionOutcome> {
  const credentials = await ports.credentials().catch(() => [])
  if (credentials.length === 0) return noPasskey
  const proof = await ports.passkeys.prove(ruleText(id, digest, rule), credentials)
  if (proof.kind === 'cancelled') return proof
  if (proof.kind === 'impossible')
    return { kind: 'impossible', reason: proof.reason, next: words.otherBrowser }
  return { kind: 'proved', proof: proof.value }
}

const noPasskey = {
  kind: 'impossible',
  reason: words.noPasskey,
  next: words.addPasskey,
} as const

async function sealByDevice({ signer }: DeciderPorts, digest: string): Promise<DeviceSealed> {
  const decidedAt = signer.now().toISOString()
  const signature = await signer.sign(sealText(digest, signer.device, decidedAt))
  return { kind: 'sealed', seal: { by: 'device', device: signer.device, decidedAt, signature } }
}

/** The challenge names the credential, so the one to ask is chosen before. */
async function sealByPerson(
  ports: DeciderPorts,
  digest: string,
  wanted: string | undefined,
): Promise<DeviceSealed | DecisionOutcome> {
  const credential = wanted ?? (await ports.credentials().catch(() => []))[0]
  if (credential === undefined) return noPasskey
  const decidedAt = ports.signer.now().toISOString()
  const proof = await ports.passkeys.prove(sealText(digest, credential, decidedAt), [credential])
  if (proof.kind === 'cancelled') return proof
  if (proof.kind === 'impossible')
    return { kind: 'impossible', reason: proof.reason, next: words.otherBrowser }
  return { kind: 'sealed', seal: { by: 'passkey', decidedAt, ...proof.value } }
}

/** The same bytes each time: a seal that arrives twice is one decision. */
async function deliver(
  ports: DeciderPorts,
  approval: ApprovalView,
  verdict: DecideApproval,
  { onUnconfirmed }: DecisionProgress,
): Promise<DecisionOutcome> {
  let settled = false
  void ports.wait(unconfirmedAfterMs).then(() => {
    if (!settled) onUnconfirmed?.()
  })
  try {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (attempt > 0) {
        onUnconfirmed?.()
        await ports.wait(backoffMs(attempt, ports.chance()))
      }
      const outcome = await send(ports, approval, verdict, attempt)
      if (outcome !== undefined) return outcome
    }
    return { kind: 'unconfirmed' }
  } finally {
    settled = true
  }
}

/** Undefined when nobody knows whether it arrived. */
async function send(
  ports: DeciderPorts,
  approval: ApprovalView,
  verdict: DecideApproval,
  attempt: number,
): Promise<DecisionOutcome | undefined> {
  try {
    return { kind: 'decided', decided: await ports.client.decide(approval.id, verdict) }
  } catch (error) {
    if (isLost(error)) return undefined
    if (!isConflict(error)) return refusal(error)
    const now = await ports.client.approval(approval.id).catch(() => undefined)
    if (now === undefined) return attempt + 1 < attempts ? undefined : refusal(error)
    if (now.approval.state === 'pending') return refusal(error)
    return { kind: 'already', approval: now.approval }
  }
}

async function request(send: () => Promise<{ readonly ledger: number }>): Promise<RequestOutcome> {
  try {
    return { kind: 'done', ledger: (await send()).ledger }
  } catch (error) {
    return refusal(error)
  }
}

function refusal(error: unknown): Extract<DecisionOutcome, { kind: 'refused' | 'unconfirmed' }> {
  if (isLost(error)) return { kind: 'unconfirmed' }
  if (error instanceof Error && 'code' in error && 'next' in error)
    return { kind: 'refused', error: error as CountersignError }
  throw error
}

function isLost(error: unknown): boolean {
  return codeOf(error) === 'gateway_unreachable' || codeOf(error) === 'timeout'
}

function isConflict(error: unknown): boolean {
  return codeOf(error) === 'conflict' || codeOf(error) === 'expired'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
