/**
 * Owns the door of the trusted core: what it is opened and started with, and everything that a surface may ask of it.
 */
import type { ModelPort } from '@countersign/agent'
import type {
  ApprovalId,
  ApprovalView,
  AskedForId,
  AskedForView,
  DecideApproval,
  DeviceId,
  ExecutorPort,
  FileMarks,
  GatewayId,
  GrantId,
  Label,
  LedgerReport,
  OperatorId,
  Permit,
  PolicyDocument,
  QuestionId,
  QuestionReply,
  RetentionDays,
  RetryRun,
  RuleRequest,
  RunId,
  ServerAsks,
  ServerReply,
  SessionId,
  ToolSource,
  UnaskedId,
  UnaskedView,
} from '@countersign/contract'
import type { Redactor } from '@countersign/contract/node'
import type { ApprovalRow } from './approvals/approval-row.ts'
import type { Approvals } from './approvals/approvals.ts'
import type { AdvanceGrants } from './approvals/grants.ts'
import type { Decider, SealChecks } from './approvals/seal-verdict.ts'
import type { Budgets } from './budgets/budgets.ts'
import type { ChainNames } from './dispatch/chain-names.ts'
import type { DryRunResult } from './dispatch/dry-run.ts'
import type { KernelMiddleware } from './dispatch/middleware.ts'
import type { JudgedAgain, SimulationOptions } from './dispatch/simulate.ts'
import type { CallTrial, CallTried } from './dispatch/try-tiers.ts'
import type { AdmittedInput } from './lanes/admission.ts'
import type { LaneMessage } from './lanes/lane-ports.ts'
import type { Policies, PolicySources } from './policies/policies.ts'
import type { RecordTransaction } from './records/record-transactions.ts'
import type { KernelRetainedKind, RemovedRows } from './retention/retention.ts'
import type { TableSizes } from './retention/table-sizes.ts'
import type { AssistantPort } from './runs/assistant-port.ts'
import type { Runs } from './runs/runs.ts'
import type { SharedStorage, StorageOptions } from './storage.ts'
import type { EnrolledDevice } from './store/devices.ts'
import type { Actor } from './store/store.ts'

/** Outside of the kernel a transaction reads the kernel's tables and writes none. */
export type CallMiddleware = KernelMiddleware<RecordTransaction>
export type RetainedKind = KernelRetainedKind<RecordTransaction>
export type InboundMessage = LaneMessage<RecordTransaction>

export interface KernelOptions extends Omit<StorageOptions, 'redactor'> {
  readonly redactor?: Redactor
}

/** What a kernel is started with, made by others from its database. */
export interface KernelParts {
  readonly tools: ToolSource
  readonly executor: ExecutorPort
  /** Runs the tools that work on the operator's records. */
  readonly recordExecutor: ExecutorPort
  readonly assistant: AssistantPort
  /** What stands around every call. */
  readonly middleware?: readonly CallMiddleware[]
  /** How many calls all runs of a person make in a minute; left out, as many as they like. */
  readonly callsPerMinute?: number | undefined
  /** Silence after which a message begins a task of its own; left out, half an hour. */
  readonly silenceMs?: number | undefined
  readonly chainNames?: ChainNames
  readonly model: ModelPort
  /** A file of the workspace; nothing where it is not there, is no file, or is longer. Left out, no picture is shown. */
  readonly readFile?: (path: string, most: number) => Promise<Uint8Array | undefined>
  readonly policy: PolicySources
  /** Told of the policy that holds, at the start and after every change. */
  readonly policyChanged?: (document: PolicyDocument) => void
  readonly devices: readonly (EnrolledDevice & { readonly id: DeviceId })[]
  readonly seals: SealChecks
  /** The engine lost its slot: the process must start again. */
  readonly onFatal: (error: unknown) => void
  readonly sweepEveryMs?: number
  /** What is removed by age, with what others keep. */
  readonly retention?: { readonly days: RetentionDays; readonly others: readonly RetainedKind[] }
}

/** A kernel whose database is open and that does nothing yet. */
export interface OpenedKernel extends SharedStorage {
  readonly redactor: Redactor
  /** Puts what the server of a call under way asks before the operator. Never rejects. */
  askForServer(permit: Permit, asked: ServerAsks, signal: AbortSignal): Promise<ServerReply>
  /** Goes on with the work that is there, and takes more. */
  start(parts: KernelParts): Promise<Kernel>
  /** Closes the database; a kernel that was started is closed first. */
  close(): Promise<void>
}

export interface Kernel extends SharedStorage {
  readonly slot: number
  /** Whether no other gateway works on the same database. */
  isAlone(): Promise<boolean>
  readonly gateway: GatewayId
  readonly operator: OperatorId
  readonly redactor: Redactor
  readonly policies: Policies
  readonly tools: ToolSource
  readonly budgets: Budgets

  admit(operator: OperatorId, message: InboundMessage): Promise<AdmittedInput>
  stopRun(operator: OperatorId, run: RunId, actor: Actor): Promise<number>
  /** Ends the wait for the next try of a model; of a run that is over, or elsewhere, its message is sent once more. */
  retryRun(operator: OperatorId, run: RunId, actor: Actor, wanted?: RetryRun): Promise<RetriedRun>
  /** One run stops before its next model call or dispatch, and goes on when it is resumed. */
  pauseRun(operator: OperatorId, run: RunId, actor: Actor): Promise<number>
  resumeRun(operator: OperatorId, run: RunId, actor: Actor): Promise<number>
  /** All runs of the operator. */
  pause(operator: OperatorId, actor: Actor): Promise<number>
  resume(operator: OperatorId, actor: Actor): Promise<number>
  /** Something is held or no longer held: what runs looks, and what may go on does. */
  holdsChanged(operator: OperatorId): Promise<void>
  readonly undoRun: Runs['undoRun']

  approval(operator: OperatorId, ref: string): Promise<ApprovalRow>
  decide(operator: OperatorId, ref: string, verdict: DecideApproval, actor: Decider): Promise<DecisionResult>
  readonly extend: Approvals['extend']
  readonly note: Approvals['note']
  /** Puts a request with other arguments in the place of one. */
  edit(operator: OperatorId, ref: string, args: string, actor: Actor): Promise<number>
  answer(operator: OperatorId, question: QuestionId, words: string, actor: Actor): Promise<number>
  /** What the operator says to a question of a server. */
  replyToServer(
    operator: OperatorId,
    question: QuestionId,
    reply: QuestionReply,
    actor: Actor,
  ): Promise<number>
  revokeGrant(operator: OperatorId, grant: GrantId, actor: Actor): Promise<number>
  /** A rule made of a request that was approved before, which must have offered it. */
  grantAfterwards(
    operator: OperatorId,
    approval: ApprovalId,
    rule: RuleRequest,
    actor: Decider,
  ): Promise<{ readonly grant: GrantId; readonly ledger: number }>
  /** What the operator's words in a session ask for, as it was listed. */
  askedFor(operator: OperatorId, session: SessionId): Promise<AskedForView[]>
  takeBack(operator: OperatorId, list: AskedForId, actor: Actor): Promise<number>
  /** What was held because nobody asked for it, a row for each conversation. */
  unasked(operator: OperatorId): Promise<UnaskedView[]>
  dismissUnasked(operator: OperatorId, row: UnaskedId, actor: Actor): Promise<number>
  readonly letAsk: Runs['letAsk']
  /** Approves listed calls ahead; above tier 2 each still asks. */
  grantInAdvance(operator: OperatorId, calls: AdvanceGrants, actor: Actor): Promise<number>

  /** A call of the operator's own, through the same door as the model's. */
  readonly callTool: Runs['call']
  /** What would be decided about a call. Nothing is run. */
  tryTool(operator: OperatorId, call: { tool: string; args: string }): Promise<DryRunResult[]>
  /** What a draft of a policy would have said to past calls. Nothing is changed. */
  simulate(
    operator: OperatorId,
    document: PolicyDocument,
    options: Pick<SimulationOptions, 'since' | 'floorOf'>,
  ): Promise<JudgedAgain[]>
  /** What the policy in force would have said to past calls of a tool that counted for something else. */
  tryOnCalls(operator: OperatorId, trial: Omit<CallTrial, 'now'>): Promise<CallTried[]>
  /** How many past calls can be judged again. */
  pastCalls(operator: OperatorId, since: Date): Promise<number>
  /** How far files are trusted, as the operator sees and says it. */
  readonly files: {
    marks(operator: OperatorId, path?: string): Promise<FileMarks>
    /** What reading each of the paths of the workspace would bring in. */
    worth(operator: OperatorId, paths: readonly string[]): Promise<(Label | null)[]>
    trust(operator: OperatorId, path: string, actor: Actor): Promise<{ removed: number; ledger: number }>
    distrust(operator: OperatorId, path: string, actor: Actor): Promise<{ ledger: number }>
  }

  verifyLedger(operator: OperatorId): Promise<LedgerReport>
  exportLedger(operator: OperatorId): Promise<AsyncIterable<string>>
  /** Whether the ledger takes entries. */
  writable(operator: OperatorId): Promise<boolean>
  /** What the tables take on disk, in bytes. */
  tableSizes(): Promise<TableSizes>
  /** Removes what is too old, a bounded part at a time. */
  removeOld(operator: OperatorId): Promise<RemovedRows>
  /** Ends the work of this process; what is not done goes on elsewhere or later. */
  close(): Promise<void>
}

export interface RetriedRun {
  readonly session: SessionId
  /** The run that goes on, or the one that was begun; null while it waits for its turn. */
  readonly run: RunId | null
  readonly ledger: number
}

export interface DecisionResult {
  readonly approval: ApprovalView
  readonly grant: GrantId | null
  readonly ledger: number
}
