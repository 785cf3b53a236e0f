/**
 * Owns what a hop is: a way on which words get from one run to a later one. It says how they are put in, how they are
 * taken out, and how the later run begins.
 */
import type { SessionId } from '@countersign/contract'
import type { AdversaryInstallation } from '../adversary/installation.ts'
import type { TaskTurn } from '../adversary/task.ts'

export type HopKind =
  | 'conversation'
  | 'compaction'
  | 'file'
  | 'record'
  | 'custom tool'
  | 'memory'
  | 'goal'
  | 'plan'
  | 'schedule'
  | 'sub-agent'
  | 'program'
  | 'hand'

export interface Hop {
  readonly name: string
  readonly kind: HopKind
  /** Tools that it needs; where one is missing it cannot be tried yet. */
  readonly needs?: readonly string[]
  /**
   * `anew`: in a conversation of its own. `on`: in the same one. `itself`: the installation begins it when the words were put
   * in. `act`: the operator sets it off. The last two begin with the mark of the next run in their words.
   */
  readonly begins: 'anew' | 'on' | 'itself' | 'act'
  /** The installation may keep the words back, until the operator vouches for them. A flow may end there. */
  readonly mayStop?: boolean
  /** Done by a run that has seen the words. */
  put(way: HopContext): readonly TaskTurn[]
  /** Done by a later run, which sees the words by it; none where they come with its beginning. */
  take(way: HopContext): readonly TaskTurn[]
  /** The next run begins with the last words of this one. */
  readonly isTold?: boolean
  /** The hop that always comes next: what was given away comes back. */
  readonly followedBy?: Hop
  /** What the operator does in between. With `on` the conversation that it gives is the one that goes on. */
  act?(
    installation: AdversaryInstallation,
    way: HopContext & { readonly session: SessionId },
  ): Promise<unknown>
}

export interface HopContext {
  /** Another for each hop of each flow; good for names of files and records. */
  readonly mark: string
  /** What is carried. A line, in which one word is like no other. */
  readonly words: string
  /** The mark of the run that comes next, as it must stand in a message. */
  readonly next: string
}
