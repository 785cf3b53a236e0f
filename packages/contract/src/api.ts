/** Owns the shapes of the HTTP API. The OpenAPI document is generated from these. */
import { z } from 'zod'
import { Addressee, ConversationChoice, ModelChoice, TurnBound } from './addressee.ts'
import { ModelRef } from './api-models.ts'
import { AskedPer100 } from './asked.ts'
import { Attachment, emptyMessage, hasContent, MessageContent } from './attachments.ts'
import { ApprovalView } from './card.ts'
import { Decision } from './decision.ts'
import { CallOutcome, InputMode, ParkReason, RetryWait, RunState, StopReason } from './events.ts'
import { ApprovalId, CallId, GrantId, InputId, QuestionId, RunId, SessionId } from './ids.ts'
import { canonicalText } from './json/canonical.ts'
import { DeviceSeal, PasskeySeal } from './permit.ts'
import { ServerQuestion } from './server-question.ts'
import { ZoneName } from './trigger.ts'
import { Tier } from './trust.ts'
import { PasskeyProof } from './trust-statement.ts'

export const CountersignErrorBody = z.strictObject({
  type: z.string(),
  message: z.string(),
  next: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
})
export type CountersignErrorBody = z.infer<typeof CountersignErrorBody>

export const ErrorReply = z.strictObject({ ok: z.literal(false), error: CountersignErrorBody })
export type ErrorReply = z.infer<typeof ErrorReply>

export const Health = z.strictObject({ ok: z.boolean(), gateway: z.string(), version: z.string() })
export type Health = z.infer<typeof Health>

export const Status = z.strictObject({
  version: z.string(),
  gateway: z.string(),
  operator: z.string(),
  pid: z.int(),
  url: z.string(),
  startedAt: z.string(),
  slot: z.int(),
  autonomy: z.string(),
  policy: z.string(),
  asked: AskedPer100,
  paused: z.strictObject({ at: z.string(), by: z.string() }).nullable(),
  /** Unattended work spent far more than usual and is held. */
  held: z.strictObject({ at: z.string(), because: z.string() }).nullable(),
  /** Each part was tried for this answer, or a moment before; `problem` says what did not work. */
  database: z.strictObject({
    mode: z.enum(['embedded', 'external']),
    ok: z.boolean(),
    problem: z.string().nullable(),
  }),
  executor: z.strictObject({ ok: z.boolean(), pid: z.int().nullable(), sandbox: z.string() }),
  model: z.strictObject({
    provider: z.string(),
    /** Empty where none is configured; the problem says what to do. */
    model: z.string(),
    ok: z.boolean(),
    /** `untried`: something answers at its address, and no call was made yet. */
    state: z.enum(['ok', 'untried', 'failing', 'none']),
    /** Since when it fails. */
    since: z.string().nullable(),
    problem: z.string().nullable(),
  }),
  ledger: z.strictObject({
    size: z.int(),
    signed: z.int(),
    writable: z.boolean(),
    /** A witness saw another history: nothing runs but what only looks. */
    alarm: z.boolean(),
  }),
  runs: z.strictObject({ running: z.int(), parked: z.int(), queued: z.int() }),
  pending: z.strictObject({ approvals: z.int(), questions: z.int() }),
  seq: z.int(),
  /** Open pages and terminals. */
  clients: z.int(),
  /** Browsers that are told of what waits. */
  push: z.int(),
  /** Bytes, as they were found in the last minutes. */
  disk: z.strictObject({
    free: z.int(),
    database: z.int(),
    events: z.int(),
    details: z.int(),
    ledger: z.int(),
    workspace: z.int(),
    /** Vault, browser profiles and what was used. */
    executor: z.int(),
    logs: z.int(),
  }),
})
export type Status = z.infer<typeof Status>

export const TimeZoneView = z.strictObject({
  /** What holds now. */
  zone: z.string(),
  /** What holds from the next start on. */
  next: z.string(),
  /** Why it cannot be changed here. */
  fixed: z.string().nullable(),
})
export type TimeZoneView = z.infer<typeof TimeZoneView>
export const SetTimeZone = z.strictObject({ zone: ZoneName })
export const ChangedTimeZone = z.strictObject({ zone: TimeZoneView, ledger: z.int() })

/** Limits that belong together, and how they are changed; null where only another version does. */
export const LimitGroup = z.strictObject({
  name: z.string(),
  change: z.string().nullable(),
  limits: z.array(z.strictObject({ name: z.string(), value: z.number() })),
})
export type LimitGroup = z.infer<typeof LimitGroup>

export const SendMessage = z
  .strictObject({
    key: z.string().min(8).max(100),
    session: SessionId.nullable(),
    ...MessageContent,
    mode: InputMode.default('auto'),
    ...Addressee.shape,
    ...ModelChoice.shape,
    ...ConversationChoice.shape,
    ...TurnBound.shape,
  })
  .refine(hasContent, emptyMessage)
export type SendMessage = z.infer<typeof SendMessage>

export const AdmissionReply = z.strictObject({
  input: InputId,
  session: SessionId,
  /** Null while the message waits in its lane. */
  run: RunId.nullable(),
  /** True when a parked run took the message as steering. */
  steered: z.boolean(),
  /** The event before this one is the place to read on from. */
  seq: z.int(),
  ledger: z.int(),
})
export type AdmissionReply = z.infer<typeof AdmissionReply>

export const SessionView = z.strictObject({
  id: SessionId,
  title: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  activeRun: RunId.nullable(),
  queued: z.int(),
  /** Stands first in a list. */
  pinned: z.boolean(),
  /** Put away: not in a list unless it is asked for. */
  hidden: z.boolean(),
  /** The model that was chosen for it; null where its agent's own answers. */
  model: z.string().nullable(),
  /** What programs keep with it. */
  metadata: z.record(z.string(), z.string()),
  /** Tools that its agent has in it besides its own. */
  extraTools: z.array(z.string()),
  /** Nothing that is said in it is kept after its end. */
  private: z.boolean(),
})
export type SessionView = z.infer<typeof SessionView>

export const CallView = z.strictObject({
  id: CallId,
  /** The call that needs this one. */
  parent: CallId.nullable(),
  turn: z.int(),
  tool: z.string(),
  headline: z.string(),
  args: z.string(),
  tier: Tier.nullable(),
  decision: Decision.nullable(),
  state: z.string(),
  outcome: CallOutcome.nullable(),
  summary: z.string(),
  /** What the model was told, its beginning. */
  result: z.string(),
  approval: ApprovalId.nullable(),
  undoable: z.boolean(),
  /** The operator took it back, or it is being taken back. */
  undone: z.boolean(),
  intendedAt: z.string().nullable(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
})
export type CallView = z.infer<typeof CallView>

export const RunView = z.strictObject({
  id: RunId,
  session: SessionId,
  input: InputId,
  kind: z.enum(['agent', 'undo', 'direct', 'unasked']),
  state: RunState,
  parkedOn: ParkReason.nullable(),
  reason: StopReason.nullable(),
  message: z.string(),
  turns: z.int(),
  /** How many its message allows; left out where it said nothing. */
  mostTurns: z.int().exactOptional(),
  segments: z.int(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  /** When arguments and results of its calls were removed for their age; null while they are there. */
  detailsRemovedAt: z.string().nullable(),
  retry: RetryWait.nullable(),
  /** Calls that wait for their turn to be asked about. */
  callsWaiting: z.int(),
  text: z.string(),
  /** What began it, in a few words. */
  asked: z.string(),
  agent: z.string(),
  goal: z.string().nullable(),
  schedule: z.string().nullable(),
  tools: z.array(z.string()),
  calls: z.int(),
  /** Calls that did not go well. */
  problems: z.int(),
  /** Calls that can still be taken back, and those that were. */
  undoable: z.int(),
  undone: z.int(),
  /** The highest tier among its calls. */
  tier: Tier.nullable(),
  costUsd: z.number(),
  /** How long it waited for a person or for the next try of a model, which is not its own time. */
  waitedMs: z.int(),
})
export type RunView = z.infer<typeof RunView>

export const MessageView = z.strictObject({
  at: z.string(),
  run: RunId,
  role: z.enum(['operator', 'assistant']),
  text: z.string(),
  attachments: z.array(Attachment).optional(),
  /** What programs keep with it. */
  metadata: z.record(z.string(), z.string()).optional(),
})
export type MessageView = z.infer<typeof MessageView>

/** How large a conversation is, and what it took. */
export const SessionStatistics = z.strictObject({
  messages: z.int(),
  runs: z.int(),
  calls: z.int(),
  /** Of all model calls, read again with each. */
  inputTokens: z.int(),
  outputTokens: z.int(),
  costUsd: z.number(),
  lastActivityAt: z.string(),
})
export type SessionStatistics = z.infer<typeof SessionStatistics>

export const SessionDetail = z.strictObject({
  session: SessionView,
  statistics: SessionStatistics,
  messages: z.array(MessageView),
  runs: z.array(RunView),
})
export type SessionDetail = z.infer<typeof SessionDetail>

export const RetryRun = z.strictObject({
  /** One model by its reference, for the rest of the run. */
  model: ModelRef.optional(),
  /** Another session that the message of the run is sent to, with whose words they are and for what. */
  session: SessionId.optional(),
})
export type RetryRun = z.infer<typeof RetryRun>

export const RetriedRun = z.strictObject({
  session: SessionId,
  /** The run that goes on or that was begun; null while it waits for its turn. */
  run: RunId.nullable(),
  ledger: z.int(),
})
export type RetriedRun = z.infer<typeof RetriedRun>

export const RunDetail = z.strictObject({
  run: RunView,
  /** What the model thought before each of its replies, where the provider tells it and it is still kept. */
  reasoning: z.array(z.strictObject({ turn: z.int(), text: z.string() })),
  calls: z.array(CallView),
  approvals: z.array(ApprovalView),
})
export type RunDetail = z.infer<typeof RunDetail>

/** How much a standing refusal names: what the call touches, the folder that holds it, the whole tool. */
export const RefusalStop = z.enum(['target', 'place', 'tool'])
export type RefusalStop = z.infer<typeof RefusalStop>

export const ApprovalDetail = z.strictObject({
  approval: ApprovalView,
  /** The canonical text of the subject: what the digest is computed over and a device seals. */
  subject: z.string(),
  tool: z.string(),
  /** The canonical arguments, and the JSON Schema that they fit. */
  args: z.string(),
  schema: z.record(z.string(), z.unknown()),
  /** How requests of the same tool by the same rules were decided in the last thirty days. */
  history: z.strictObject({ approved: z.int(), denied: z.int(), lastAt: z.string().nullable() }),
  /** The rules that a denial can write, each as people would say it. */
  refusals: z.array(z.strictObject({ stop: RefusalStop, sentence: z.string() })),
})
export type ApprovalDetail = z.infer<typeof ApprovalDetail>

/** From the narrowest to the broadest: this exact call, its targets, the place of its targets, the whole tool. */
export const GrantStop = z.enum(['call', 'target', 'place', 'tool'])
export type GrantStop = z.infer<typeof GrantStop>

/** A rule that stands until it ends or is revoked. */
export const RuleRequest = z.strictObject({
  scope: z.literal('rule'),
  stop: GrantStop,
  where: z.enum(['goal', 'agent', 'everywhere']),
  /** Every rule ends; what is still wanted is granted again. */
  days: z.int().min(1).max(365),
  /** Null for as often as it comes. */
  maxUses: z.int().min(1).max(100_000).nullable(),
  /** It holds in tasks that have read untrusted content as well; left out, they ask again. */
  untrusted: z.boolean().optional(),
})
export type RuleRequest = z.infer<typeof RuleRequest>

export const GrantRequest = z.discriminatedUnion('scope', [
  z.strictObject({
    scope: z.enum(['run', 'session', 'time']),
    minutes: z.int().min(1).max(1440).optional(),
    maxUses: z.int().min(1).max(1000).optional(),
  }),
  RuleRequest,
])
export type GrantRequest = z.infer<typeof GrantRequest>

export const DecideApproval = z.discriminatedUnion('verdict', [
  z.strictObject({
    verdict: z.literal('approve'),
    /** What the approver saw. Anything else is refused. */
    digest: z.string(),
    grant: GrantRequest.optional(),
    seal: z.discriminatedUnion('by', [DeviceSeal, PasskeySeal]).optional(),
    /** For a rule that is broad: a passkey's word for exactly this rule, over `ruleText`. */
    proof: PasskeyProof.optional(),
  }),
  z.strictObject({
    verdict: z.literal('deny'),
    reason: z.string().max(2000).default(''),
    stop: z.boolean().default(false),
    /** Also writes a rule that refuses such calls from now on. */
    always: RefusalStop.optional(),
  }),
])
export type DecideApproval = z.infer<typeof DecideApproval>

/** Too much to save by a key alone: it covers a whole tool. */
export function isBroad(rule: Pick<RuleRequest, 'stop'>): boolean {
  return rule.stop === 'tool'
}

/** The text whose SHA-256 a passkey signs for a broad rule. */
export function ruleText(approval: string, digest: string, rule: RuleRequest): string {
  const { untrusted = false } = rule
  return `countersign/rule/v1\0${canonicalText({ approval, digest, rule: { ...rule, untrusted } })}`
}

/** The operator's own arguments in place of the agent's. The new call is authorized anew. */
export const EditApproval = z.strictObject({ args: z.string().max(1_000_000) })
export const ExtendApproval = z.strictObject({ hours: z.int().min(1).max(168) })
export const AskAboutApproval = z.strictObject({ question: z.string().min(1).max(2_000) })
export const ExtensionReply = z.strictObject({ approval: ApprovalView, ledger: z.int() })
export type ExtensionReply = z.infer<typeof ExtensionReply>

export const DecisionReply = z.strictObject({
  approval: ApprovalView,
  grant: GrantId.nullable(),
  ledger: z.int(),
  /** What came of the rule that was to be written with a denial, which stands in either case. */
  refusal: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('written'), version: z.int(), ledger: z.int() }),
      z.strictObject({ kind: z.literal('failed'), problem: z.string() }),
    ])
    .optional(),
})
export type DecisionReply = z.infer<typeof DecisionReply>

export const QuestionView = z.strictObject({
  id: QuestionId,
  kind: z.enum(['operator', 'unknown', 'server']),
  session: SessionId,
  run: RunId,
  call: CallId,
  text: z.string(),
  choices: z.array(z.string()),
  state: z.enum(['open', 'answered', 'withdrawn']),
  answer: z.string().nullable(),
  /** Of a server: whose it is, and its form. */
  server: ServerQuestion.exactOptional(),
  createdAt: z.string(),
})
export type QuestionView = z.infer<typeof QuestionView>

export const AnswerQuestion = z.strictObject({ answer: z.string().min(1).max(10_000) })

export const GrantView = z.strictObject({
  id: GrantId,
  sentence: z.string(),
  tool: z.string(),
  /** Null where it was given ahead, for the calls of a plan. */
  approval: ApprovalId.nullable(),
  createdAt: z.string(),
  expiresAt: z.string(),
  uses: z.int(),
  /** Null for as often as it comes. */
  maxUses: z.int().nullable(),
  lastUsedAt: z.string().nullable(),
  /** Where it holds; all null is everywhere. */
  agent: z.string().nullable(),
  goal: z.string().nullable(),
  session: SessionId.nullable(),
  run: RunId.nullable(),
  /** It holds in tasks that have read untrusted content as well. */
  untrusted: z.boolean(),
  /** When it ends by itself unless it is used before. */
  unusedEndsAt: z.string(),
  /** `unused` ended by itself. */
  state: z.enum(['active', 'revoked', 'expired', 'used', 'unused']),
})
export type GrantView = z.infer<typeof GrantView>

export const Receipt = z.strictObject({ ok: z.literal(true), ledger: z.int() })
export type Receipt = z.infer<typeof Receipt>

/** One link from an effect back to the person who caused it, nearest first. */
export const WhyLink = z.strictObject({
  what: z.enum(['effect', 'permit', 'approval', 'decision', 'proposal', 'turn', 'run', 'message', 'person']),
  id: z.string(),
  at: z.string().nullable(),
  sentence: z.string(),
  ledger: z.int().nullable(),
})
export type WhyLink = z.infer<typeof WhyLink>

export const Why = z.strictObject({ subject: z.string(), chain: z.array(WhyLink) })
export type Why = z.infer<typeof Why>

export const LedgerReport = z.strictObject({
  ok: z.boolean(),
  size: z.int(),
  signed: z.int(),
  root: z.string(),
  checkpoints: z.int(),
  key: z.string(),
  problem: z.string().nullable(),
})
export type LedgerReport = z.infer<typeof LedgerReport>

/** Only these calls; left out, everything that can be taken back. */
export const UndoRun = z.strictObject({ calls: z.array(CallId).min(1).max(1000).optional() })

export const UndoReply = z.strictObject({ run: RunId, calls: z.int(), ledger: z.int() })
export type UndoReply = z.infer<typeof UndoReply>
