/** Owns what a run needs of the assistant: with what it is worked on, and that it is told of every end. */
import type { Limits, ModelPort } from '@countersign/agent'
import type { Label, OperatorId, Purpose, StopReason, ToolCatalogue } from '@countersign/contract'
import type { RecordTransaction } from '../records/record-transactions.ts'
import type { RunRow } from '../store/run-row.ts'

export interface AssistantPort {
  /** Asked at the beginning of each segment, before the history is read. */
  prepare(operator: OperatorId, run: RunRow, catalogue: ToolCatalogue): Promise<RunPreparation>
  /** In the transaction that ends the run; with the tools that it called, also by way of another. */
  ended(unit: RecordTransaction, run: RunRow, end: RunEnd, called: ReadonlySet<string>): Promise<void>
}

export interface RunEnd {
  readonly reason: StopReason
  readonly message: string
}

export interface RunPreparation {
  /** What people call the agent. */
  readonly name?: string
  readonly system: string
  /** Joined into the run's label: what the prompt was made of. */
  readonly label: Label
  readonly limits: Limits
  /** The tools that this agent has; to it there are no others. */
  readonly catalogue: ToolCatalogue
  /** The same of a catalogue as it is later. */
  restrict(all: ToolCatalogue): ToolCatalogue
  /** The tools that the model is shown from the start, of those. */
  readonly shown: readonly string[]
  /** How much of the conversation the model is shown, in tokens. */
  readonly historyTokens: number
  /** One model by its reference; left out, the route of the purpose decides. */
  readonly model?: string
  readonly purpose: Purpose
  /** Left out, the provider's own. */
  readonly temperature?: number
  /** What decides instead of a model, as a plan does. */
  readonly port?: ModelPort
}
