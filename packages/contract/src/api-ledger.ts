/** Owns the shapes in which the ledger is read: entries with their sentence, a page of them, and one whole. */
import { z } from 'zod'
import { ApprovalId, CallId, RunId, SessionId } from './ids.ts'
import { longestLedgerQuery } from './ledger-query-length.ts'
import { DeviceSeal, PasskeySeal } from './permit.ts'
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

/** A device or a node of the operator, or a witness that anybody may run. */
export const LedgerWitnessKind = z.enum(['device', 'node', 'log'])
export type LedgerWitnessKind = z.infer<typeof LedgerWitnessKind>

/** What a witness is shown. */
export const LedgerHead = z.strictObject({
  /** The newest signed checkpoint, as a C2SP note. */
  note: z.string().max(8_000),
  size: z.int().min(0),
  /** The size that the proof begins with. */
  from: z.int().min(0),
  /** RFC 6962, 2.1.2; empty where nothing has to be proven, and where nothing can be. */
  proof: z.array(z.base64().length(44)).max(64),
})
export type LedgerHead = z.infer<typeof LedgerHead>

export const AskLedgerHead = z.object({ from: z.coerce.number().int().min(0).default(0) })

/** A witness says which size it saw; the line is its cosignature of that checkpoint (C2SP cosignature/v1). */
export const ReportSeenHead = z.strictObject({ size: z.int().min(1), cosignature: z.string().max(2_000) })
export type ReportSeenHead = z.infer<typeof ReportSeenHead>

/** The checkpoint that it saw before, which the gateway signed and does not hold any more. */
export const ComplainOfLedger = z.strictObject({
  note: z.string().max(8_000),
  reason: z.string().min(1).max(1_000),
})
export type ComplainOfLedger = z.infer<typeof ComplainOfLedger>

/** `raised`: nobody had complained of it. `known`: the alarm stands already. `cleared`: the operator cleared it. */
export const ComplaintReply = z.strictObject({
  result: z.enum(['raised', 'known', 'cleared', 'agrees']),
})
export type ComplaintReply = z.infer<typeof ComplaintReply>

export const LedgerWitnessView = z.strictObject({
  /** The id of a device or a node, or the name of the key of a witness elsewhere. */
  id: z.string(),
  kind: LedgerWitnessKind,
  name: z.string(),
  /** The newest size that it saw, and when. */
  size: z.int(),
  root: z.string(),
  at: z.string(),
  /** C2SP, by which its cosignature can be checked elsewhere; null once its device or node is gone. */
  key: z.string().nullable(),
})
export type LedgerWitnessView = z.infer<typeof LedgerWitnessView>

export const LedgerAlarmView = z.strictObject({
  id: z.string(),
  at: z.string(),
  /** The witness that complained, as people call it. */
  witness: z.string(),
  /** The size that was signed, and is not in this ledger. */
  size: z.int(),
  reason: z.string(),
  note: z.string(),
})
export type LedgerAlarmView = z.infer<typeof LedgerAlarmView>

export const LedgerWitnesses = z.strictObject({
  /** The newest size that is signed. */
  signed: z.int(),
  /** Who saw the most first. */
  witnesses: z.array(LedgerWitnessView),
  /** While one stands, nothing runs but what only looks. */
  alarms: z.array(LedgerAlarmView),
})
export type LedgerWitnesses = z.infer<typeof LedgerWitnesses>

/** The operator has looked at the alarms and goes on with the ledger as it is here. */
export const ClearLedgerAlarms = z.strictObject({
  alarms: z
    .array(z.string().regex(/^[0-9a-f]{32}$/))
    .min(1)
    .max(100),
  /** Of a device that seals, or a passkey, over `alarmClearingText`. */
  seal: z.discriminatedUnion('by', [DeviceSeal, PasskeySeal]),
})
export type ClearLedgerAlarms = z.infer<typeof ClearLedgerAlarms>

/** What the seal is over: these alarms of this gateway, and no other. */
export function alarmClearingText(gateway: string, alarms: readonly string[]): string {
  return `countersign/ledger-alarms/v1\0${gateway}\0${alarms.toSorted().join('\0')}`
}
