/** Owns the shape of a command as it is declared, and the two words in which most of its arguments are. */
import type { ShortIdKind } from '@countersign/contract'
import type { Handler } from './context.ts'

export interface ArgumentRow {
  readonly name: string
  readonly summary: string
  readonly required: boolean
  readonly choices?: readonly string[]
  /** It is an id of this kind, which may be shortened. */
  readonly id?: ShortIdKind
  /** Or else a name or words, which the command looks for itself. */
  readonly orName?: boolean
  /** The last one of a command, which may be given more than once. */
  readonly many?: boolean
}

export interface OptionRow {
  readonly flags: string
  readonly summary: string
  /** Its value is an id of this kind, which may be shortened. */
  readonly id?: ShortIdKind
  /** Or else a name, which the command looks for itself. */
  readonly orName?: boolean
  /** Given more than once, its values arrive in one text with a NUL between, which no word of a command line can hold. */
  readonly repeats?: boolean
}

export interface CommandRow {
  /** One word, or a noun and its verb. */
  readonly name: string
  readonly summary: string
  readonly arguments: readonly ArgumentRow[]
  readonly options: readonly OptionRow[]
  readonly examples: readonly string[]
  /** Loads the code of this command only. */
  readonly load: () => Promise<Handler>
}

export function needed(name: string, summary: string): ArgumentRow {
  return { name, summary, required: true }
}

export function optional(name: string, summary: string): ArgumentRow {
  return { name, summary, required: false }
}
