/** Owns the row types of the tables, for queries. A folder reads and writes only its own tables. */
import type { SpentCall } from '@countersign/agent'
import type {
  ActKind,
  ApprovalId,
  ApprovalState,
  AskedForId,
  AskedItem,
  Attachment,
  BudgetPeriod,
  BudgetScope,
  CallId,
  CallOutcome,
  Card,
  Decision,
  DeviceId,
  DeviceReach,
  DeviceSeal,
  EventBody,
  Exchange,
  ExecuteReply,
  GrantId,
  InputId,
  InputMode,
  JsonObject,
  Label,
  LedgerWitnessKind,
  OperatorId,
  ParkReason,
  PasskeySeal,
  Permit,
  PictureFile,
  PolicyDocument,
  Purpose,
  QuestionId,
  QuestionReply,
  Requester,
  RetryWait,
  RunId,
  Seal,
  ServerQuestion,
  SessionId,
  StopReason,
  Tier,
  UnaskedId,
  WorkOrigin,
} from '@countersign/contract'
import type { AskOutlook, GrantCover, JudgedFacts, Loosening } from '@countersign/policy'
import type { ColumnType, Generated, SelectType } from 'kysely'

type Json<T> = ColumnType<T, string, string>

export interface Tables {
  operators: {
    id: OperatorId
    created_at: Date
    autonomy: Generated<string>
    policy_hash: string | null
    epoch: Generated<number>
    paused_at: Date | null
    paused_by: string | null
    event_seq: Generated<number>
    ledger_size: Generated<number>
    held_at: Date | null
    held_because: string | null
    released_at: Date | null
    events_removed_to: Generated<number>
    ledger_alarm_at: Date | null
  }
  devices: {
    operator_id: OperatorId
    id: DeviceId
    name: string
    public_key: string
    added_at: Date
    revoked_at: Date | null
    reach: Generated<DeviceReach>
    platform: Generated<string>
  }
  sessions: {
    operator_id: OperatorId
    id: SessionId
    title: string
    created_at: Date
    updated_at: Date
    active_run_id: RunId | null
    label: Json<Label>
    work: ColumnType<Work | null, string | null | undefined, string | null>
    archived_to: Generated<number>
    window_from: Generated<number>
    pinned_at: Generated<Date | null>
    hidden_at: Generated<Date | null>
    removed_at: Generated<Date | null>
    metadata: ColumnType<Readonly<Record<string, string>>, string | undefined, string>
    extra_tools: ColumnType<readonly string[], string | undefined, string>
    private: Generated<boolean>
    ends_at: Generated<Date | null>
  }
  inputs: {
    operator_id: OperatorId
    id: InputId
    session_id: SessionId
    run_id: RunId | null
    key: string
    mode: InputMode
    position: ColumnType<number, never, never>
    text: string
    requester: Json<Requester>
    state: 'queued' | 'running' | 'steering' | 'done'
    created_at: Date
    work: ColumnType<Work | null, string | null | undefined, never>
    label: ColumnType<Label | null, string | null | undefined, never>
    attachments: ColumnType<Attachment[], string | undefined, never>
    metadata: ColumnType<Readonly<Record<string, string>>, string | undefined, never>
    most_turns: Generated<number | null>
  }
  runs: {
    operator_id: OperatorId
    id: RunId
    session_id: SessionId
    input_id: InputId
    kind: 'agent' | 'undo' | 'direct' | 'unasked'
    state: 'running' | 'parked' | 'stopped'
    parked_on: ParkReason | null
    reason: StopReason | null
    message: Generated<string>
    segment: Generated<number>
    fence: Generated<number>
    turn: Generated<number>
    /** What its message allows; the agent may allow fewer. */
    most_turns: Generated<number | null>
    tool_calls: Generated<number>
    active_ms: Generated<number>
    stop_requested_at: Date | null
    stop_requested_by: string | null
    label: Json<Label>
    started_at: Date
    ended_at: Date | null
    agent: Generated<string>
    goal: string | null
    schedule: string | null
    unattended: Generated<boolean>
    retries: Generated<number>
    retry: Json<RetryWait> | null
    parent: RunId | null
    about: string | null
    details_removed_at: Date | null
    model: string | null
    answers: CallId | null
    team: string | null
  }
  messages: {
    operator_id: OperatorId
    session_id: SessionId
    run_id: RunId
    turn: number
    position: ColumnType<number, never, never>
    role: 'user' | 'assistant'
    text: string
    label: Json<Label>
    at: Date
    attachments: ColumnType<Attachment[], string | undefined, never>
    metadata: ColumnType<Readonly<Record<string, string>>, string | undefined, never>
    reasoning: Generated<string | null>
  }
  calls: {
    operator_id: OperatorId
    id: CallId
    session_id: SessionId
    run_id: RunId
    turn: number
    position: number
    model_id: string
    model_tool: string
    raw_args: string
    tool: string
    args: string
    headline: string
    tier: Tier | null
    decision: Json<Decision> | null
    state: 'proposed' | 'asked' | 'approved' | 'intended' | 'unknown' | 'waiting' | 'ended'
    outcome: CallOutcome | null
    attempt: Generated<number>
    nonce: string | null
    permit: Json<Permit> | null
    approval_id: ApprovalId | null
    result_text: Generated<string>
    summary: Generated<string>
    undo: Json<{ tool: string; args: string }> | null
    undone_by: RunId | null
    edited_from: Generated<ApprovalId | null>
    output_label: Json<Label> | null
    parent_id: CallId | null
    reader: RunId | null
    requester: Json<Requester> | null
    intended_at: Date | null
    started_at: Date | null
    ended_at: Date | null
    judged: ColumnType<JudgedCall | null, string | null | undefined, string | null>
    pictures: ColumnType<PictureFile[] | null, never, never>
  }
  approvals: {
    operator_id: OperatorId
    id: ApprovalId
    code: string
    call_id: CallId
    run_id: RunId
    session_id: SessionId
    state: ApprovalState
    tier: Tier
    digest: string
    subject: string
    card: Json<Card>
    agent_says: string
    seal: Json<Seal> | null
    spent_at: Date | null
    created_at: Date
    expires_at: Date
    decided_at: Date | null
    decided_by: string | null
    reason: string | null
    asked: ColumnType<Exchange[], string | undefined, string>
    replaces: ApprovalId | null
    offers: Json<AskOutlook>
  }
  questions: {
    operator_id: OperatorId
    id: QuestionId
    kind: 'operator' | 'unknown' | 'server'
    call_id: CallId
    run_id: RunId
    session_id: SessionId
    text: string
    choices: Json<string[]>
    state: 'open' | 'answered' | 'withdrawn'
    answer: string | null
    server: ColumnType<ServerQuestion | null, string | null | undefined, never>
    /** Until it was told to the server. */
    reply: ColumnType<QuestionReply | null, never, string | null>
    created_at: Date
  }
  grants: {
    operator_id: OperatorId
    id: GrantId
    tool: string
    covers: Json<GrantCover[]>
    sentence: string
    session_id: SessionId | null
    run_id: RunId | null
    approval_id: ApprovalId | null
    created_at: Date
    expires_at: Date
    /** Null for as often as it comes. */
    max_uses: number | null
    uses: Generated<number>
    last_used_at: Generated<Date | null>
    revoked_at: Date | null
    agent: Generated<string | null>
    goal: Generated<string | null>
    untrusted: Generated<boolean>
    /** It ended by itself, since nobody used it. */
    ended_unused_at: Generated<Date | null>
  }
  events: {
    operator_id: OperatorId
    seq: number
    at: Date
    body: Json<EventBody>
    session_id: Generated<SessionId | null>
    run_id: Generated<RunId | null>
  }
  ledger_entries: {
    operator_id: OperatorId
    seq: number
    type: string
    run_id: RunId | null
    call_id: CallId | null
    approval_id: ApprovalId | null
    body: string
    leaf: Buffer
  }
  checkpoints: { operator_id: OperatorId; size: number; frontier: Buffer; note: string; at: Date }
  ledger_subtrees: { operator_id: OperatorId; level: number; place: number; hash: Buffer }
  ledger_witnesses: {
    operator_id: OperatorId
    witness: string
    kind: LedgerWitnessKind
    size: number
    root: string
    cosignature: string
    at: Date
  }
  ledger_alarms: {
    operator_id: OperatorId
    id: string
    witness: string
    size: number
    note: string
    reason: string
    at: Date
    cleared_at: Date | null
    cleared_by: string | null
  }
  record_permit_uses: {
    operator_id: OperatorId
    nonce: string
    digest: string
    reply: Json<RecordToolReply>
    at: Date
  }
  file_labels: {
    operator_id: OperatorId
    path: string
    label: Json<Label>
    marked_at: Date
    cleared_by: Generated<CallId | null>
    cleared_at: Generated<Date | null>
  }
  own_paths: { operator_id: OperatorId; path: string; said_at: Date }
  call_rates: { operator_id: OperatorId; tool: string; person: string; recent: string; at: Date }
  records: {
    operator_id: OperatorId
    collection: string
    id: string
    data: Json<JsonObject>
    label: ColumnType<Label | null, string | null, string | null>
    version: number
    created_at: Date
    updated_at: Date
  }
  model_calls: {
    operator_id: OperatorId
    id: string
    run_id: RunId | null
    session_id: SessionId | null
    agent: string
    goal: string | null
    schedule: string | null
    person: string | null
    unattended: boolean
    purpose: Purpose
    provider: string
    model: string
    state: 'reserved' | 'settled'
    outcome: SpentCall['outcome'] | 'lost' | null
    reserved: number
    cost: number
    input: number
    output: number
    cached: number
    reasoning: number
    estimated: boolean
    first_token_ms: number | null
    total_ms: number | null
    counted: Json<number[]>
    started_at: Date
    ended_at: Date | null
  }
  budgets: {
    operator_id: OperatorId
    name: string
    scope: BudgetScope
    subject: string | null
    period: BudgetPeriod
    limit_nanos: number
    hard: boolean
    set_at: Date
  }
  budget_periods: {
    operator_id: OperatorId
    budget: string
    subject: string
    period: string
    spent: Generated<number>
    reserved: Generated<number>
    extra: Generated<number>
    told: Generated<number>
    from_at: Date
    until_at: Date | null
    id: ColumnType<number, never, never>
  }
  cost_adjustments: {
    operator_id: OperatorId
    id: string
    provider: string
    from_at: Date
    to_at: Date
    cost: number
    at: Date
  }
  policy_versions: {
    operator_id: OperatorId
    number: number
    hash: string
    digest: string
    document: Json<PolicyDocument>
    loosens: Json<Loosening[]>
    by_kind: string
    by_id: string
    at: Date
    seal: ColumnType<DeviceSeal | PasskeySeal | null, string | null, never>
    written_at: Date | null
  }
  asked_for: {
    operator_id: OperatorId
    id: AskedForId
    session_id: SessionId
    run_id: RunId
    said_to: number
    items: Json<AskedItem[]>
    /** Null where it could not be read. */
    kinds: ColumnType<ActKind[] | null, string | null, never>
    questions: Json<string[]>
    /** The turn of the run in which its model was told them. */
    told_turn: number | null
    at: Date
    taken_back_at: Date | null
  }
  /** A row for a conversation: so many acts were held that nobody asked for. */
  unasked: {
    operator_id: OperatorId
    id: UnaskedId
    session_id: SessionId
    count: number
    at: Date
    /** Put away, or every one of them was let to ask. */
    closed_at: Date | null
  }
  unasked_calls: {
    operator_id: OperatorId
    unasked_id: UnaskedId
    call_id: CallId
    /** The run in which it was proposed again. */
    again_run_id: ColumnType<RunId | null, null | undefined, RunId>
  }
  held_goals: { operator_id: OperatorId; goal: string; at: Date }
  wakeups: { run_id: RunId; operator_id: OperatorId; due_at: Date }
  segments: { run_id: RunId; segment: number; operator_id: OperatorId; created_at: Date }
  deadlines: { approval_id: ApprovalId; operator_id: OperatorId; due_at: Date }
}

/** What an input is worked on for, besides the operator's own conversation. */
export interface Work {
  readonly agent: string
  readonly goal: string | null
  readonly schedule: string | null
  /** Nobody asked for it just now. */
  readonly unattended: boolean
  /** The run that began it. */
  readonly parent?: RunId | null
  /** The record that it is done for. */
  readonly about?: string | null
  /** The model that the operator chose by its reference; left out, the agent's own. */
  readonly model?: string | null
  /** The team that the agent answers for. */
  readonly team?: string | null
  /** Whoever made or set off what begins it, where no run begins it by itself. */
  readonly origins?: readonly WorkOrigin[]
}

/** What a call was decided by, so that another policy can be asked about it. */
export interface JudgedCall extends JudgedFacts {
  readonly argsHash: string
  /** The policy that decided it. */
  readonly policy: string
}

/** What a record tool did, as it was told. */
export type RecordToolReply = Extract<ExecuteReply, { kind: 'done' }>

/** The same tables for code that may only read them: a statement that writes one does not compile. */
export type KernelTables = {
  readonly [Name in keyof Tables]: {
    readonly [Column in keyof Tables[Name]]: ColumnType<SelectType<Tables[Name][Column]>, never, never>
  }
}
