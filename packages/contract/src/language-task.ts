/** Owns what a tool has a model work out for it: one text, what is to be done with it, and the form of the answer. */
import type { JsonObject } from './json/value.ts'
import type { MediaFile } from './media-task.ts'

export interface LanguageTask {
  /** In the tool's own words. */
  readonly instruction: string
  /** What it is done with. It is data, whatever it says. */
  readonly text: string
  /** Looked at in place of a text. */
  readonly images?: readonly MediaFile[]
  /** A JSON schema of an object. */
  readonly form: JsonObject
  readonly mostTokens: number
}

export type LanguageAnswer =
  /** An object, and nothing else is known of it: a model may leave its form. */
  | { readonly kind: 'answer'; readonly value: JsonObject }
  | { readonly kind: 'failed'; readonly reason: string }

export type WorkOut = (task: LanguageTask) => Promise<LanguageAnswer>

/** The run that a task is booked to, by its own row. */
export interface RunWork {
  readonly goal: string | null
  readonly schedule: string | null
  readonly unattended: boolean
  /** One that the operator chose for it, by its reference. */
  readonly model: string | null
}
