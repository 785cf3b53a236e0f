/** Owns what the parts of dispatch share: their collaborators, and the run that they work for. */

import type { Control } from '@countersign/agent'
import type {
  CallId,
  Chain,
  ExecutorPort,
  GatewayId,
  InputId,
  Label,
  ParkReason,
  Requester,
  RunId,
  SessionId,
  ToolCatalogue,
  ToolSource,
} from '@countersign/contract'
import type { Approvals } from '../approvals/approvals.ts'
import type { Permits } from '../permits/permits.ts'
import type { Policies } from '../policies/policies.ts'
import {
  type HeldRun,
  lockHeldWith,
  type PendingControls,
  type RunRow,
  type SeenControls,
} from '../store/run-row.ts'
import type { SettingsState } from '../store/settings-state.ts'
import type { Store, Unit } from '../store/store.ts'
import type { Work } from '../store/tables.ts'
import type { CallLimits } from './call-limits.ts'
import type { Ancestor, ChainNames } from './chain-names.ts'
import type { ReadAskedFor } from './list-asked-for.ts'
import type { KernelMiddleware } from './middleware.ts'

/**
 * Who runs what: a separate process and the nodes, which one port leads to, or the gateway itself for work on the
 * operator's records.
 */
export interface Executors {
  readonly executor: ExecutorPort
  readonly gateway: ExecutorPort
}

export interface DispatchPorts {
  readonly store: Store
  readonly tools: ToolSource
  readonly executors: Executors
  readonly middleware: readonly KernelMiddleware[]
  /** How many calls all runs of a person make in a minute; left out, as many as they like. */
  readonly callsPerMinute?: number | undefined
  readonly chainNames?: ChainNames | undefined
  readonly redact: (text: string) => string
  readonly policies: Pick<Policies, 'current'>
  readonly approvals: Approvals
  readonly permits: Permits
  readonly gateway: { readonly id: GatewayId; readonly epoch: number }
  readonly clock: () => Date
  readonly uuid: () => string
  readonly nonce: () => string
  readonly wait: (ms: number) => Promise<void>
  readonly park: (unit: Unit, run: HeldRun, on: ParkReason) => Promise<void>
  readonly control: (unit: Unit, run: RunRow) => Promise<Control>
  readonly pendingControls: (unit: Unit, run: RunRow, known?: SeenControls) => Promise<PendingControls>
  readonly settings: SettingsState
  /** Begins a run in a session of its own. */
  readonly createRun: (
    unit: Unit,
    session: { readonly id: SessionId; readonly label: Label },
    input: {
      readonly id: InputId
      readonly text: string
      readonly work: Work
      readonly label: Label
      readonly answers: CallId
    },
    kind: 'agent',
  ) => Promise<RunId>
}

/** The run for which calls are made. Its label grows with everything that its tools bring in. */
export interface Caller {
  readonly held: HeldRun
  readonly requester: Requester
  readonly cause: string
  /** What the run is done for. */
  readonly work: Work
  /** It is a reader: told one question, and nothing else. */
  readonly inReader: boolean
  readonly limits: CallLimits
  /** The words that came with the calls; shown to the approver, fenced. */
  lastReplyText: string
  label: Label
  /** The tools that the run may use, as the operator's settings had them in the state that stands beside. */
  catalogue: ToolCatalogue
  settings: string
  /** Those of all tools that this run may use. */
  restrict: (tools: ToolCatalogue) => ToolCatalogue
  /** The run itself, where no other run began it; left out, it is looked up. */
  readonly first?: Ancestor
  /** What people call the agent that works; left out, it is looked up. */
  agentName?: string | undefined
  /** The run and those that began it, once they were looked up. */
  ancestors?: readonly Ancestor[]
  /** Who asked for the run, once it was looked up. */
  line?: Chain
  /** The state of the settings as the last outcome was written; whoever chooses the next model takes it. */
  settingsSeen?: string | undefined
  /** Reads the operator's words for what they ask for; left out, nobody does. */
  readAskedFor?: ReadAskedFor
  /** The operator lets a call be asked that was held: nothing of it runs without an approval. */
  readonly mustAsk?: boolean
  /** The operator makes its calls, and no model: nothing limits how often. */
  readonly byHand?: boolean
  /** Calls that were already tried a second time in this segment. */
  readonly repeated: Set<CallId>
}

export type StopAndPauseCheck =
  | { readonly kind: 'go'; readonly run: RunRow }
  | { readonly kind: 'parked'; readonly on: 'paused' }
  | { readonly kind: 'stopped' }
  | SettingsMoved

/** The operator's settings are others by now: what is known of the tools no longer holds. */
export interface SettingsMoved {
  readonly kind: 'moved'
  readonly settings: string
}

/** Looks the run's tools up again, for settings in this state. */
export async function renewTools(caller: Caller, settings: string, tools: ToolSource): Promise<void> {
  caller.catalogue = caller.restrict(await tools.open(caller.held.operator, settings))
  caller.settings = settings
}

/** Locks the run and looks whether it may act now, with the tools that it knows. A pause parks it here. */
export async function checkStopAndPause(
  unit: Unit,
  caller: Caller,
  ports: DispatchPorts,
): Promise<StopAndPauseCheck> {
  const { row: run, settings } = await lockHeldWith(unit, caller.held, ports.settings)
  const { stop, pause } = await ports.pendingControls(unit, run)
  if (stop) return { kind: 'stopped' }
  if (!pause) return settings === caller.settings ? { kind: 'go', run } : { kind: 'moved', settings }
  await ports.park(unit, caller.held, 'paused')
  return { kind: 'parked', on: 'paused' }
}
