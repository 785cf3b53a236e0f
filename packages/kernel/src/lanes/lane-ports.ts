/** Owns what the lanes are given, and what comes in: a message, before it is admitted. */
import type { Attachment, InputMode, Label, Requester, SessionId, StopReason } from '@countersign/contract'
import type { SegmentRef } from '@countersign/engine'
import type { RunRow } from '../store/run-row.ts'
import type { SettingsState } from '../store/settings-state.ts'
import type { Actor, Store, Unit } from '../store/store.ts'
import type { Work } from '../store/tables.ts'

/** Whoever sends it from outside of the kernel is given less than a unit of the kernel. */
export interface LaneMessage<Given = Unit> {
  readonly key: string
  readonly session: SessionId | null
  readonly text: string
  readonly mode: InputMode
  /** Files that go with the words. What they hold was not said by the requester. */
  readonly attachments?: readonly Attachment[] | undefined
  /** What a program keeps with it. No model is shown it. */
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /** How many turns its run may take, where that is fewer than its agent may. */
  readonly turns?: number | undefined
  readonly requester: Requester
  /** What it is worked on for; left out, what the session is for. */
  readonly work?: Work
  /** The model that answers it and what follows in the conversation; null for the agent's own, left out for the one chosen before. */
  readonly model?: string | null
  /** Says for whom it is, where that is known only when it is admitted. */
  readonly answeredBy?: (unit: Given) => Promise<Work | undefined>
  /** The id of the session that is opened for it, where none is named. */
  readonly opens?: SessionId
  readonly title?: string
  /** The conversation that it opens is private: nothing of it is kept. */
  readonly private?: boolean | undefined
  /** What the words are worth, where they are not the operator's own. */
  readonly label?: Label
  /** Who brings them, where that is not the requester. */
  readonly by?: Actor
}

export interface LanePorts {
  readonly store: Store
  readonly settings: SettingsState
  readonly uuid: () => string
  /** Silence after which a message begins a task of its own (default: half an hour). */
  readonly silenceMs?: number | undefined
  readonly redact: (text: string) => string
  readonly start: (ref: SegmentRef) => void
  /** Offers the words to a parked run. False leaves them in the lane. */
  readonly steer: (unit: Unit, run: RunRow, words: string, actor: Actor) => Promise<boolean>
  /** Told of every end, in its transaction. */
  readonly ended: (
    unit: Unit,
    run: RunRow,
    end: { readonly reason: StopReason; readonly message: string },
    /** The tools that the run called, also by way of another. */
    called: ReadonlySet<string>,
  ) => Promise<void>
}
