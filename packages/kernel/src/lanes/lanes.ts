/**
 * Owns sessions and their lanes: one run at a time per session, in arrival order, over all processes. A run starts in
 * the process that admitted it, at once; what a crash left unstarted is found by the sweep.
 */
import type { Control } from '@countersign/agent'
import type { OperatorId, ParkReason, RetryWait, RunId, StopReason } from '@countersign/contract'
import type { SegmentRef } from '@countersign/engine'
import type {
  HeldRun,
  Holdable,
  PendingControls,
  RunRow,
  SeenControls,
  SeenPauses,
} from '../store/run-row.ts'
import type { Actor, Unit } from '../store/store.ts'
import { type AdmittedInput, admit } from './admission.ts'
import {
  heldRuns,
  holdRun,
  pauseAll,
  requestStop,
  resumeAll,
  retryNow,
  strayReaders,
  waitingSegments,
  wake,
  wakeForInbox,
  wakeForReaders,
  wakePaused,
} from './control.ts'
import type { LaneMessage, LanePorts } from './lane-ports.ts'
import { isPaused } from './pauses.ts'
import {
  type ClaimedRun,
  claim,
  createRun,
  finish,
  type LaneSession,
  type NewInput,
  park,
  parkUntil,
  resume,
} from './run-state.ts'
import { control, pendingControls } from './steering.ts'

export interface Lanes {
  /** The same key is admitted once. */
  admit(operator: OperatorId, message: LaneMessage): Promise<AdmittedInput>
  /** Begins a segment. Null when it has already ended or another has taken over. */
  claim(ref: SegmentRef): Promise<ClaimedRun | null>
  createRun(unit: Unit, session: LaneSession, input: NewInput, kind: RunRow['kind']): Promise<RunId>
  park(unit: Unit, run: HeldRun, on: ParkReason): Promise<void>
  /** Parks a run that goes on by itself. */
  parkUntil(unit: Unit, run: HeldRun, retry: RetryWait): Promise<void>
  /** Takes a parked run back to work, in a new segment. While everything is paused it stays, to be found by resumeAll. */
  resume(unit: Unit, run: RunRow): Promise<void>
  /** Ends the run and starts the next input of the lane, in one transaction. */
  finish(unit: Unit, run: RunRow, reason: StopReason, message: string): Promise<void>

  isPaused(unit: Unit, work?: Holdable | null, known?: SeenPauses): Promise<boolean>
  /** What people asked of the run meanwhile. Steering words are taken out of the lane and become messages. */
  control(unit: Unit, run: RunRow): Promise<Control>
  /** The same without taking anything: it only says whether words wait. */
  pendingControls(unit: Unit, run: RunRow, known?: SeenControls): Promise<PendingControls>

  requestStop(
    operator: OperatorId,
    run: RunId,
    actor: Actor,
    withdraw: (unit: Unit, run: RunRow) => Promise<void>,
  ): Promise<number>
  /** Holds one run, or lets it go on. */
  holdRun(operator: OperatorId, run: RunId, actor: Actor, held: boolean): Promise<number>
  /** Ends the wait for the next try of a model. */
  retryNow(operator: OperatorId, run: RunId, actor: Actor, model: string | undefined): Promise<number>
  pauseAll(operator: OperatorId, actor: Actor): Promise<number>
  resumeAll(operator: OperatorId, actor: Actor): Promise<number>
  /** Takes up what a pause left: parked runs and lanes that did not start. */
  wakePaused(operator: OperatorId): Promise<void>
  /** Takes up the runs whose time has come, and says when the next one's does. */
  wake(now: Date): Promise<Date | null>
  /** Takes up the runs that waited until the operator has fewer decisions before them, the oldest first. */
  wakeForInbox(operator: OperatorId): Promise<void>
  /** Takes up the runs whose readers have ended. */
  wakeForReaders(operator: OperatorId): Promise<void>
  /** Readers at work whose answer nobody waits for any more. */
  strayReaders(operator: OperatorId): Promise<RunId[]>
  /** What runs although it is held. */
  heldRuns(operator: OperatorId): Promise<RunId[]>
  /** Segments that should be executing since before the given time; the engine says which of them it never got. */
  waitingSegments(before: Date): Promise<SegmentRef[]>
}

export function createLanes(ports: LanePorts): Lanes {
  return {
    admit: (operator, message) => admit(ports, operator, message),
    claim: (ref) => claim(ports, ref),
    createRun: (unit, session, input, kind) => createRun(ports, unit, session, input, kind),
    park,
    parkUntil,
    resume: (unit, run) => resume(ports, unit, run),
    finish: (unit, run, reason, message) => finish(ports, unit, run, reason, message),
    isPaused,
    control,
    pendingControls,
    holdRun: (operator, run, actor, held) => holdRun(ports, operator, run, actor, held),
    requestStop: (operator, run, actor, withdraw) => requestStop(ports, operator, run, actor, withdraw),
    retryNow: (operator, run, actor, model) => retryNow(ports, operator, run, actor, model),
    pauseAll: (operator, actor) => pauseAll(ports, operator, actor),
    resumeAll: (operator, actor) => resumeAll(ports, operator, actor),
    wakePaused: (operator) => wakePaused(ports, operator),
    wake: (now) => wake(ports, now),
    wakeForInbox: (operator) => wakeForInbox(ports, operator),
    wakeForReaders: (operator) => wakeForReaders(ports, operator),
    strayReaders: (operator) => strayReaders(ports, operator),
    heldRuns: (operator) => heldRuns(ports, operator),
    waitingSegments: (before) => waitingSegments(ports, before),
  }
}
