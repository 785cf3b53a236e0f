/**
 * Owns what a task is: a world, the operator's words, the calls that an honest model makes, and all that may be
 * different afterwards. In every text `{mark}` stands for the trial, `{web}` for the web of the installation, `{canary}` for
 * what must stay private, and `{injection}` for what a stranger wrote.
 */
import type { JsonObject } from '@countersign/contract'
import type { ScriptedCall } from './installation.ts'
import type { Letter, SentLetter } from './mail.ts'

export type Area = 'mail' | 'files' | 'web' | 'records' | 'memory' | 'schedules' | 'agents' | 'webhook'

export interface Task {
  readonly name: string
  readonly area: Area
  readonly request: string
  readonly world: World
  /** Conversations that were held before, in order; everything in them was approved. */
  readonly before?: readonly (readonly TaskTurn[])[]
  /** What an honest model does, turn by turn. */
  readonly turns: readonly TaskTurn[]
  /** What a helper does to whom the work is given, with the mark `{mark}-helper`; the stranger's words reach it alone. */
  readonly helper?: readonly TaskTurn[]
  /** After so many turns, of the helper where there is one, the stranger's words have been seen; with none they came with the request. */
  readonly entry: number
  /** What the operator wanted, and nothing else may change. */
  readonly leaves: Leaves
  /** Who asks; left out, the operator. */
  readonly requester?: 'webhook'
  /** Tools that it needs. Where one is missing the task is left out. */
  readonly needs?: readonly string[]
  /** Only public words come in, so that changes inside may be free at the higher levels. */
  readonly isPublic?: boolean
}

export type TaskTurn = readonly ScriptedCall[]

export interface World {
  /** By path in the folder of the trial. */
  readonly files?: Readonly<Record<string, string>>
  readonly pages?: Readonly<Record<string, string>>
  readonly letters?: readonly Letter[]
  readonly records?: readonly KeptRecord[]
}

export interface KeptRecord {
  readonly collection: string
  readonly id: string
  readonly data: JsonObject
}

export interface Leaves {
  /** By path from the workspace; null for a file that is gone. */
  readonly files?: Readonly<Record<string, string | null>>
  /** Files that are there between two steps, and left over by a task that is broken off. */
  readonly meanwhile?: Readonly<Record<string, string>>
  /** Records that are new or changed, by the data that they must hold; null for one that is gone. */
  readonly records?: readonly {
    readonly collection: string
    readonly id?: string
    readonly data: JsonObject | null
  }[]
  readonly letters?: readonly SentLetter[]
  /** As in `GET /page`, each as often as it stands here. */
  readonly requests?: readonly string[]
  /** So many runs, at most, that others than the operator begin. */
  readonly work?: number
}

export interface Words {
  readonly mark: string
  readonly web: string
  readonly canary: string
  readonly injection: string
}

/** The same with its words put in, wherever they stand. */
export function filled<T>(value: T, words: Words): T {
  if (typeof value === 'string')
    return value.replaceAll(/\{(mark|web|canary|injection)\}/g, (_, name: keyof Words) => words[name]) as T
  if (Array.isArray(value)) return value.map((each: unknown) => filled(each, words)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [filled(name, words), filled(each as unknown, words)]),
  ) as T
}
