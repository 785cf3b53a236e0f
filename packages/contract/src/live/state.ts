/** Owns the shape of what is live: everything a surface shows of the present, folded from the event log. */
import { z } from 'zod'
import { Attachment } from '../attachments.ts'
import { ApprovalState, ApprovalView } from '../card.ts'
import { Decision } from '../decision.ts'
import { CallOutcome, InputMode, ParkReason, RetryWait, RunState, StopReason } from '../events.ts'
import { ApprovalId, CallId, InputId, QuestionId, RunId, SessionId } from '../ids.ts'
import { reminder } from '../reminder.ts'
import { QuestionEnd, ServerQuestion } from '../server-question.ts'
import { Tier } from '../trust.ts'

/** How much is kept. What is left out stays in the log, and the views over HTTP have it. */
export const liveBounds = {
  approvals: 1_000,
  /** As many as the record keeps. */
  exchanges: 20,
  questions: 500,
  decided: 100,
  openRuns: 1_000,
  endedRuns: 100,
  failing: 50,
  threads: 50,
  items: 200,
  /** Characters of one thread, and of one text in it. */
  threadText: 200_000,
  itemText: 20_000,
  runText: 500,
  notices: 50,
} as const

/** Every item is made by one event, whose number names it. */
const made = { seq: z.int(), at: z.string() }

/** Characters that were cut off its end; 0 when it is whole. */
const cut = z.int()

export const MessageItem = z.strictObject({
  kind: z.literal('message'),
  ...made,
  input: InputId,
  /** Null while it waits for its turn. */
  run: RunId.nullable(),
  text: z.string(),
  cut,
  mode: InputMode,
  attachments: z.array(Attachment).optional(),
})
export type MessageItem = z.infer<typeof MessageItem>

export const ReplyItem = z.strictObject({
  kind: z.literal('reply'),
  ...made,
  run: RunId,
  turn: z.int(),
  text: z.string(),
  cut,
  calls: z.int(),
  /** The model that said it, as its provider names it. */
  model: z.string().optional(),
  /** The model had no room left to finish it. */
  cutShort: z.boolean().optional(),
})
export type ReplyItem = z.infer<typeof ReplyItem>

/** One call of a tool. */
export const CellItem = z.strictObject({
  kind: z.literal('cell'),
  ...made,
  run: RunId,
  call: CallId,
  tool: z.string(),
  headline: z.string(),
  /** Null for a call that was wrong before policy saw it. */
  decision: Decision.nullable(),
  /** Null while it is under way. */
  outcome: CallOutcome.nullable(),
  summary: z.string(),
  undoable: z.boolean(),
  endedAt: z.string().nullable(),
  /** The event that ended it. */
  endedSeq: z.int().nullable(),
})
export type CellItem = z.infer<typeof CellItem>

/** A card. While it waits, `approvals` has it whole. */
export const ApprovalItem = z.strictObject({
  kind: z.literal('approval'),
  ...made,
  run: RunId,
  approval: ApprovalId,
  call: CallId,
  code: z.string(),
  headline: z.string(),
  tier: Tier,
  state: ApprovalState,
  by: z.string().nullable(),
  reason: z.string().nullable(),
  /** When it was decided, and by which event. */
  decidedAt: z.string().nullable(),
  decidedSeq: z.int().nullable(),
})
export type ApprovalItem = z.infer<typeof ApprovalItem>

export const QuestionItem = z.strictObject({
  kind: z.literal('question'),
  ...made,
  run: RunId,
  question: QuestionId,
  call: CallId,
  text: z.string(),
  cut,
  /** Null while it is open, and where the run ended without one. */
  answer: z.string().nullable(),
  answeredAt: z.string().nullable(),
  answeredSeq: z.int().nullable(),
  /** The server that asked, and how that ended. */
  server: z.string().exactOptional(),
  how: QuestionEnd.exactOptional(),
})
export type QuestionItem = z.infer<typeof QuestionItem>

/** Something that happened to the run itself. */
export const MarkItem = z.strictObject({
  kind: z.literal('mark'),
  ...made,
  run: RunId,
  mark: z.enum(['parked', 'retrying', 'resumed', 'ended']),
  on: ParkReason.nullable(),
  reason: StopReason.nullable(),
  text: z.string(),
})
export type MarkItem = z.infer<typeof MarkItem>

export const ThreadItemLive = z.discriminatedUnion('kind', [
  MessageItem,
  ReplyItem,
  CellItem,
  ApprovalItem,
  QuestionItem,
  MarkItem,
])
export type ThreadItemLive = z.infer<typeof ThreadItemLive>

export const ThreadLive = z.strictObject({
  session: SessionId,
  /** The event that touched it last. */
  seq: z.int(),
  at: z.string(),
  /** The run that started last. */
  run: RunId.nullable(),
  items: z.array(ThreadItemLive),
  /** Items before these that are no longer kept. */
  dropped: z.int(),
  /** Characters in the items. */
  size: z.int(),
})
export type ThreadLive = z.infer<typeof ThreadLive>

export const RunLive = z.strictObject({
  id: RunId,
  session: SessionId,
  input: InputId.nullable(),
  state: RunState,
  parkedOn: ParkReason.nullable(),
  parkedAt: z.string().nullable(),
  /** The model's last try failed, and this says when the next one is; null once a reply came. */
  retry: RetryWait.nullable(),
  /** Calls that wait for their turn to be asked about. */
  callsWaiting: z.int(),
  reason: StopReason.nullable(),
  message: z.string(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  /** Time that it stood still, for a person or for the next try of a model, so far as that is over. */
  waitedMs: z.int(),
  turns: z.int(),
  calls: z.int(),
  /** The highest tier among its calls. */
  tier: Tier.nullable(),
  /** Tools whose last call went wrong; a later one that goes well takes the tool off. */
  failing: z.array(z.string()),
  /** Cards that nobody decided in time. */
  expired: z.int(),
  denied: z.int(),
  undoable: z.int(),
  /** The beginning of its last reply. */
  text: z.string(),
  /** The events that it began with and that touched it last. */
  startedSeq: z.int(),
  seq: z.int(),
})
export type RunLive = z.infer<typeof RunLive>

export const QuestionLive = z.strictObject({
  id: QuestionId,
  session: SessionId,
  run: RunId,
  call: CallId,
  kind: z.enum(['operator', 'unknown', 'server']),
  text: z.string(),
  choices: z.array(z.string()),
  server: ServerQuestion.exactOptional(),
  at: z.string(),
})
export type QuestionLive = z.infer<typeof QuestionLive>

export const DecidedLive = z.strictObject({
  id: ApprovalId,
  session: SessionId,
  run: RunId,
  code: z.string(),
  state: ApprovalState,
  by: z.string(),
  reason: z.string().nullable(),
  /** Empty and null where its card is no longer kept. */
  headline: z.string(),
  tier: Tier.nullable(),
  at: z.string(),
})
export type DecidedLive = z.infer<typeof DecidedLive>

/** What happened, as facts: each surface writes the sentence in its own language. */
export const NoticeFacts = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string() }),
  z.strictObject({
    kind: z.literal('budget'),
    budget: z.string(),
    percent: z.number(),
    spentUsd: z.number(),
    limitUsd: z.number(),
  }),
  z.strictObject({ kind: z.literal('held'), reason: z.string() }),
  z.strictObject({ kind: z.literal('released'), by: z.string() }),
  z.strictObject({ kind: z.literal('reminder'), ...reminder }),
])
export type NoticeFacts = z.infer<typeof NoticeFacts>

export const NoticeLive = z.strictObject({
  seq: z.int(),
  at: z.string(),
  about: z.string(),
  facts: NoticeFacts,
})
export type NoticeLive = z.infer<typeof NoticeLive>

/** Nothing in it is ever changed in place: a part that is the same object is the same. */
export const LiveState = z.strictObject({
  /** The last event that is in it. */
  seq: z.int(),
  paused: z.strictObject({ at: z.string(), by: z.string() }).nullable(),
  held: z.strictObject({ at: z.string(), reason: z.string() }).nullable(),
  /** Those that wait, by id. */
  approvals: z.record(ApprovalId, ApprovalView),
  /** Oldest first. */
  decided: z.array(DecidedLive),
  /** Those that are open, by id. */
  questions: z.record(QuestionId, QuestionLive),
  runs: z.record(RunId, RunLive),
  threads: z.record(SessionId, ThreadLive),
  /** Oldest first. */
  notices: z.array(NoticeLive),
  /** Counted since the log began; `seq` is the event that changed them last. */
  grants: z.strictObject({ created: z.int(), revoked: z.int(), seq: z.int() }),
  devices: z.strictObject({ seq: z.int() }),
})
export type LiveState = z.infer<typeof LiveState>

export const LiveSnapshot = z.strictObject({ seq: z.int(), state: LiveState, hash: z.string() })
export type LiveSnapshot = z.infer<typeof LiveSnapshot>

export const LiveHash = z.strictObject({ seq: z.int(), hash: z.string() })
export type LiveHash = z.infer<typeof LiveHash>

export const emptyLive: LiveState = {
  seq: 0,
  paused: null,
  held: null,
  approvals: {},
  decided: [],
  questions: {},
  runs: {},
  threads: {},
  notices: [],
  grants: { created: 0, revoked: 0, seq: 0 },
  devices: { seq: 0 },
}
