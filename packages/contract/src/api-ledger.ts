/** Owns the shapes in which the ledger is read: entries with their sentence, a page of them, and one whole. */
import { z } from 'zod'
import { ApprovalId, CallId, RunId, SessionId } from './ids.ts'
import { longestLedgerQuery } from './ledger-query-length.ts'
import { Tier } from './trust.ts'

export const LedgerActor = z.strictObject({
  kind: z.enum(['operator', 'agent', 'gateway', 'executor']),
  id: z.string(),
  /** What people call it: the device of the operator, the agent of the run. */
  name: z.string(),
})
export type LedgerActor = z.infer<typeof LedgerActor>

export const LedgerEntryView = z.strictObject({
  seq: z.int(),
  at: z.string(),
  type: z.string(),
  /** What happened, in the past tense; secrets are masked. */
  sentence: z.string(),
  actor: LedgerActor,
  tier: Tier.nullable(),
  outcome: z.string().nullable(),
  tool: z.string().nullable(),
  /** What the call does to the world, as `send` or `write`, and how often it may be done. */
  effects: z.array(z.string()),
  headline: z.string().nullable(),
  run: RunId.nullable(),
  session: SessionId.nullable(),
  call: CallId.nullable(),
  approval: ApprovalId.nullable(),
  rules: z.array(z.string()),
  /** The leaf of the tree over the ledger, in hex. */
  hash: z.string(),
  data: z.record(z.string(), z.unknown()),
  /** A signed checkpoint covers it. */
  signed: z.boolean(),
})
export type LedgerEntryView = z.infer<typeof LedgerEntryView>

export const LedgerFacet = z.strictObject({
  field: z.enum(['actor', 'tool', 'type', 'tier', 'outcome']),
  /** The most frequent first. */
  values: z.array(z.strictObject({ value: z.string(), count: z.int() })),
})
export type LedgerFacet = z.infer<typeof LedgerFacet>

export const LedgerPage = z.strictObject({
  /** The newest first. */
  entries: z.array(LedgerEntryView),
  /** Ask again with this as `before`, for what is older; null when nothing is. */
  next: z.int().nullable(),
  /** How many entries the whole ledger has, and how many of them were looked at for this page. */
  size: z.int(),
  looked: z.int(),
  /** Counted over every match that was looked at, which may be more than the page holds. */
  facets: z.array(LedgerFacet).optional(),
})
export type LedgerPage = z.infer<typeof LedgerPage>

export const mostLedgerEntries = 500

export const AskLedger = z.object({
  q: z.string().max(longestLedgerQuery).default(''),
  /** Only entries with a smaller number. */
  before: z.coerce.number().int().positive().optional(),
  /** Only entries with a greater number. */
  after: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(mostLedgerEntries).default(100),
  facets: z.enum(['yes', 'no']).default('no'),
})
export type AskLedger = z.infer<typeof AskLedger>

/** How many calls ran on a day, and how requests for approval went, by tier. */
export const OversightDay = z.strictObject({
  /** Such as `2026-11-03`, where the operator lives. */
  day: z.string(),
  /** Calls that ran, by tier from 0 to 4. */
  acts: z.array(z.int()).length(5),
  /** Requests for approval, by tier from 0 to 4. */
  asked: z.array(z.int()).length(5),
  approved: z.int(),
  denied: z.int(),
  /** How long half of the decisions took at most; null without any. */
  medianMs: z.number().nullable(),
})
export type OversightDay = z.infer<typeof OversightDay>

export const LedgerEntryDetail = z.strictObject({
  entry: LedgerEntryView,
  /** The text that the hash is of, to the byte. */
  body: z.string(),
  /** False where a secret that became known later is masked in it: then it no longer gives the hash. */
  exact: z.boolean(),
  /** The first signed checkpoint that covers it. */
  checkpoint: z.strictObject({ size: z.int(), at: z.string(), note: z.string() }).nullable(),
})
export type LedgerEntryDetail = z.infer<typeof LedgerEntryDetail>
