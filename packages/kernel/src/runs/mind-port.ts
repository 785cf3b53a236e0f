/** Owns what a run needs of the mind: with what it is worked on, and that it is told of every end. */
import { conversationLimits, type Limits, type ModelPort, systemPrompt } from '@countersign/agent'
import {
  type Label,
  type OperatorId,
  operatorLabel,
  type Purpose,
  type StopReason,
  type ToolCatalogue,
} from '@countersign/contract'
import type { RunRow } from '../store/run-row.ts'
import type { Unit } from '../store/store.ts'

export interface Mind {
  /** Asked at the beginning of each segment, before the history is read. */
  prepare(operator: OperatorId, run: RunRow, catalogue: ToolCatalogue): Promise<Prepared>
  /** In the transaction that ends the run. */
  ended(unit: Unit, run: RunRow, end: RunEnd): Promise<void>
}

export interface RunEnd {
  readonly reason: StopReason
  readonly message: string
}

export interface Prepared {
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
  /** What decides instead of a model, as a plan does. */
  readonly port?: ModelPort
}

/** For a house without a mind: every tool, the shortest prompt, and nobody to tell. */
export function plainMind(clock: () => Date, limits: Limits = conversationLimits): Mind {
  return {
    prepare: (_operator, _run, catalogue) =>
      Promise.resolve({
        system: systemPrompt({ now: clock() }),
        label: operatorLabel,
        limits,
        catalogue,
        restrict: (all) => all,
        shown: catalogue.list().flatMap(({ listed, name }) => (listed ? [name] : [])),
        historyTokens: 100_000,
        purpose: 'chat',
      }),
    ended: () => Promise.resolve(),
  }
}
