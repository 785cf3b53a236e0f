/**
 * Owns the port between the tools of the assistant and the assistant itself: what a tool may recall, find and begin, within the
 * transaction of its permit.
 */
import { Profile, type ProfileView } from './api-agents.ts'
import type { PeerRole } from './api-channels.ts'
import type { MemoryType } from './api-memory.ts'
import type { ScheduleServices } from './api-schedules.ts'
import { type ContentServices, noContentServices } from './content-search.ts'
import { idFrom, type SessionId } from './ids.ts'
import type { Label } from './trust.ts'
import type { WorkOrigin } from './work-origin.ts'

export interface AssistantServices {
  /** What the operator said of themselves. */
  profile(): Promise<ProfileView>
  /** Memories that fit the words, the best first. What waits for review is not among them. */
  recall(query: RecallQuery): Promise<readonly RecalledMemory[]>
  /** Conversations that ended, the best first. */
  searchHistory(query: HistoryQuery): Promise<readonly FoundEpisode[]>
  /** What is found by meaning. */
  readonly content: ContentServices
  /** Begins work when this transaction is committed. It inherits limits and taint from the call that began it. */
  begin(order: WorkOrder): Promise<BegunWork>
  /** The run that makes the call, and those that began its work. */
  origins(): Promise<readonly WorkOrigin[]>
  /** Holds all work under these goals or for these records, or lets it go on, once this transaction is committed. */
  hold(ids: readonly string[], held: boolean): Promise<void>
  /** Times, and what came of them. */
  readonly schedules: ScheduleServices
  readonly chats: ChatServices
  /** Removes memories with everything that was derived from them, and says how many traces there were. */
  forget(ids: readonly string[]): Promise<number>
}

/** Messages to people whom the operator let in in a channel. */
export interface ChatServices {
  /** By channel and name. */
  people(): Promise<readonly ChatPerson[]>
  /**
   * Sent after this transaction is committed, in order within the chat. Gives the id of the delivery. Rejects with a conflict
   * where they were put out meanwhile, or were let in elsewhere.
   */
  send(to: Pick<ChatPerson, 'channel' | 'peer' | 'chat'>, text: string): Promise<string>
}

export interface ChatPerson {
  readonly channel: string
  /** As the platform names them. */
  readonly peer: string
  /** What they call themselves. */
  readonly name: string
  readonly role: PeerRole
  /** The private one, in which they were let in. */
  readonly chat: string
}

export interface RecallQuery {
  readonly text: string
  readonly type?: MemoryType
  readonly tags?: readonly string[]
  /** Memories of this goal and of none; left out, of none and of every goal. */
  readonly goal?: string | null
  readonly limit: number
}

export interface RecalledMemory {
  readonly id: string
  readonly content: string
  readonly type: MemoryType
  readonly importance: number
  readonly tags: readonly string[]
  readonly score: number
  readonly createdAt: string
  /** What led to it; null where that is worth no less than what the operator keeps anyway. */
  readonly label: Label | null
}

export interface HistoryQuery {
  readonly text: string
  /** Only conversations that ended in this stretch of time, each end included. */
  readonly from?: string
  readonly to?: string
  readonly limit: number
}

export interface FoundEpisode {
  readonly id: string
  readonly session: SessionId
  readonly agent: string
  readonly goal: string | null
  readonly summary: string
  /** The words around what was found, a few messages at most. */
  readonly excerpt: string
  readonly startedAt: string
  readonly endedAt: string
  readonly messages: number
  readonly label: Label
}

export interface WorkOrder {
  /** The same key begins the same work once. */
  readonly key: string
  readonly title: string
  /** What the agent is told. */
  readonly text: string
  /** Who does it, by id. */
  readonly agent: string
  /** Left out, the goal of the work that began it. */
  readonly goal?: string | null
  /** The record that it is done for: a task, a plan, an occurrence. */
  readonly about: string | null
  /** An earlier conversation to go on in; left out, a new one. */
  readonly session?: SessionId
}

export interface BegunWork {
  readonly session: SessionId
}

/** Without an assistant: it knows nothing, and work that is begun goes nowhere. */
export const noAssistantServices: AssistantServices = {
  profile: () => Promise.resolve({ profile: Profile.parse({}), label: null, updatedAt: null }),
  recall: () => Promise.resolve([]),
  searchHistory: () => Promise.resolve([]),
  content: noContentServices,
  begin: ({ session }) => Promise.resolve({ session: session ?? idFrom('ses', '0'.repeat(32)) }),
  origins: () => Promise.resolve([]),
  hold: () => Promise.resolve(),
  schedules: {
    zone: 'UTC',
    upcoming: () => [],
    history: () => Promise.resolve([]),
    fire: () => Promise.resolve(undefined),
    changed: () => undefined,
  },
  chats: {
    people: () => Promise.resolve([]),
    send: () => Promise.reject(new Error('there are no chats')),
  },
  forget: () => Promise.resolve(0),
}
