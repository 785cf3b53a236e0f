/** What a record tool works with: the operator's records, in the one transaction that also remembers the call. */
import type {
  AssistantServices,
  BudgetExtensions,
  EmbeddedTexts,
  Label,
  Records,
  Requester,
  RunId,
  SessionId,
  ToolCatalogue,
  ToolResult,
} from '@countersign/contract'

export interface RecordToolContext {
  readonly records: Records
  /** What the operator allows on top of a limit of money. */
  readonly budgetExtensions: BudgetExtensions
  /** The tools that this operator may use now. */
  readonly catalogue: ToolCatalogue
  readonly now: Date
  /** When the call was asked for. Times that its arguments leave open are counted from here, as its card shows them. */
  readonly asked: Date
  uuid(): string
  /** Who the call is made for and what it was made from; unknown while effects are only being listed. */
  readonly cause: CallCause | undefined
  /** What a model made of the arguments, for a tool that has that done. */
  readonly worked?: ToolResult
  /** What became of the texts of the call, for a tool that has some. */
  readonly embedded?: EmbeddedTexts
  /** The names of the secrets that are kept; left out where they are not known. */
  readonly secretNames?: () => Promise<readonly string[]>
  /** What the assistant can do for a tool. */
  readonly assistant: AssistantServices
}

export interface CallCause {
  readonly requester: Requester
  readonly label: Label
  readonly session: SessionId
  readonly run: RunId
  /** The agent that makes the call, by id. */
  readonly agent: string
  /** The goal that the calling work is done for. */
  readonly goal: string | null
}
