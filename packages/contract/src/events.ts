/** Owns the ordered event log that every client sees: one sequence per operator, without gaps. */
import { z } from 'zod'
import { Attachment } from './attachments.ts'
import { ApprovalState, ApprovalView, Exchange } from './card.ts'
import { Decision } from './decision.ts'
import { ApprovalId, CallId, GrantId, InputId, QuestionId, RunId, SessionId } from './ids.ts'
import { reminder } from './reminder.ts'
import { QuestionEnd, ServerQuestion } from './server-question.ts'

export const RunState = z.enum(['queued', 'running', 'parked', 'stopped'])
export type RunState = z.infer<typeof RunState>

export const StopReason = z.enum(['completed', 'manual', 'error', 'limit', 'budget', 'denied'])
export type StopReason = z.infer<typeof StopReason>

/** `inbox`: so much waits for the operator that the run may not ask yet. `reader`: another run reads for it. */
export const ParkReason = z.enum(['approval', 'question', 'paused', 'retry', 'inbox', 'reader'])
export type ParkReason = z.infer<typeof ParkReason>

/** When a run is tried again by itself, the how manieth time of how many, and what went wrong. */
export const RetryWait = z.strictObject({
  at: z.string(),
  attempt: z.int(),
  of: z.int(),
  because: z.string(),
  /** Who is waited for. */
  provider: z.string(),
  /** The model that failed, where one did. */
  model: z.string().optional(),
  /** The model that the operator chose for the rest of the run. */
  use: z.string().optional(),
})
export type RetryWait = z.infer<typeof RetryWait>

export const InputMode = z.enum(['auto', 'queue', 'steer'])
export type InputMode = z.infer<typeof InputMode>

export const CallOutcome = z.enum([
  'ok',
  'failed',
  'refused',
  'unknown',
  'denied',
  'withdrawn',
  'invalid',
  'held',
])
export type CallOutcome = z.infer<typeof CallOutcome>

const inRun = { session: SessionId, run: RunId }

const eventBodies = [
  z.strictObject({
    type: z.literal('input.admitted'),
    session: SessionId,
    input: InputId,
    run: RunId.nullable(),
    text: z.string(),
    mode: InputMode,
    attachments: z.array(Attachment).optional(),
  }),
  z.strictObject({ type: z.literal('run.started'), ...inRun, input: InputId }),
  z.strictObject({
    type: z.literal('run.parked'),
    ...inRun,
    on: ParkReason,
    /** With `retry`: what went wrong, when it is tried again by itself, and how often that is done. */
    retry: RetryWait.optional(),
    /** Calls that wait for their turn to be asked about. */
    waiting: z.int().optional(),
  }),
  /** A try of a model failed and another follows: at once while the run goes on, or later when it parks. */
  z.strictObject({ type: z.literal('run.retrying'), ...inRun, retry: RetryWait }),
  z.strictObject({ type: z.literal('run.resumed'), ...inRun }),
  z.strictObject({
    type: z.literal('run.ended'),
    ...inRun,
    input: InputId,
    reason: StopReason,
    message: z.string(),
  }),
  z.strictObject({
    type: z.literal('turn.replied'),
    ...inRun,
    turn: z.int(),
    text: z.string(),
    calls: z.int(),
    /** The model that said it, as its provider names it. */
    model: z.string().optional(),
    /** The model had no room left to finish it. */
    cutShort: z.boolean().optional(),
  }),
  z.strictObject({
    type: z.literal('call.decided'),
    ...inRun,
    call: CallId,
    tool: z.string(),
    headline: z.string(),
    decision: Decision,
  }),
  z.strictObject({
    type: z.literal('call.ended'),
    ...inRun,
    call: CallId,
    tool: z.string(),
    headline: z.string(),
    outcome: CallOutcome,
    summary: z.string(),
    undoable: z.boolean(),
  }),
  z.strictObject({ type: z.literal('approval.requested'), ...inRun, approval: ApprovalView }),
  z.strictObject({
    type: z.literal('approval.decided'),
    ...inRun,
    approval: ApprovalId,
    code: z.string(),
    state: ApprovalState,
    by: z.string(),
    reason: z.string().nullable(),
  }),
  /** It waits longer than was said first. */
  z.strictObject({
    type: z.literal('approval.extended'),
    ...inRun,
    approval: ApprovalId,
    expiresAt: z.string(),
  }),
  /** The operator asked about it and the agent answered; the answer is the model's own words. */
  z.strictObject({
    type: z.literal('approval.answered'),
    ...inRun,
    approval: ApprovalId,
    exchange: Exchange,
  }),
  z.strictObject({
    type: z.literal('question.asked'),
    ...inRun,
    question: QuestionId,
    call: CallId,
    kind: z.enum(['operator', 'unknown', 'server']),
    text: z.string(),
    choices: z.array(z.string()),
    /** Of a server: whose it is, and its form. */
    server: ServerQuestion.exactOptional(),
  }),
  /** A question of a server is over: what the operator said, without the words, or that nobody did. */
  z.strictObject({
    type: z.literal('question.closed'),
    ...inRun,
    question: QuestionId,
    how: QuestionEnd,
  }),
  z.strictObject({
    type: z.literal('question.answered'),
    ...inRun,
    question: QuestionId,
    answer: z.string(),
  }),
  z.strictObject({ type: z.literal('grant.created'), grant: GrantId, sentence: z.string() }),
  z.strictObject({ type: z.literal('grant.revoked'), grant: GrantId }),
  /** Another policy is in force. */
  z.strictObject({ type: z.literal('policy.changed'), version: z.int() }),
  /** A device or a passkey came, went or asks to be paired. */
  z.strictObject({ type: z.literal('devices.changed') }),
  /** A channel was added, changed or removed, or somebody asks to be let in there, or was; or a program was. */
  z.strictObject({ type: z.literal('channels.changed') }),
  /** An automation was added, changed or removed, by whomever. */
  z.strictObject({ type: z.literal('schedules.changed') }),
  z.strictObject({
    type: z.literal('budget.reached'),
    budget: z.string(),
    percent: z.int(),
    spentUsd: z.number(),
    limitUsd: z.number(),
  }),
  /** Unattended work spent far more than usual and is held; or it was let go on. */
  z.strictObject({ type: z.literal('spending.held'), reason: z.string() }),
  z.strictObject({ type: z.literal('spending.released'), by: z.string() }),
  /** Everything that was said and done in it is gone, and the conversation may be too. */
  z.strictObject({ type: z.literal('session.erased'), session: SessionId }),
  /** Something that nobody waits for went wrong, or is worth knowing. */
  z.strictObject({ type: z.literal('notice'), about: z.string(), text: z.string() }),
  /** An event of the calendar is near, or was: told once. */
  z.strictObject({ type: z.literal('reminder.due'), ...reminder }),
  z.strictObject({ type: z.literal('system.paused'), by: z.string() }),
  z.strictObject({ type: z.literal('system.resumed'), by: z.string() }),
] as const

export const EventBody = z.discriminatedUnion('type', eventBodies)
export type EventBody = z.infer<typeof EventBody>
export type EventType = EventBody['type']

export const GatewayEvent = z.strictObject({ seq: z.int(), at: z.string(), body: EventBody })
export type GatewayEvent = z.infer<typeof GatewayEvent>
