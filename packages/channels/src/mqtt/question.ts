/** Owns how what was published is read: a JSON object of a known shape, or else words as they stand. Pure. */
import { z } from 'zod'
import { isoTime } from '../frame/iso-time.ts'

export interface Question {
  readonly text: string
  /** What whoever wrote it calls it: the same words under the same id are the same question. */
  readonly id: string | null
  readonly from: string | null
  readonly at: string | null
}

const Structured = z.strictObject({
  text: z.string(),
  id: z.string().min(1).max(200).optional(),
  from: z.string().min(1).max(100).optional(),
  /** When it was asked. */
  at: z
    .string()
    .refine((written) => isoTime(written) !== undefined)
    .optional(),
})

const longestText = 100_000

/** Undefined where it says nothing, or is no text. */
export function readQuestion(payload: Uint8Array): Question | undefined {
  let words: string
  try {
    words = new TextDecoder('utf-8', { fatal: true }).decode(payload)
  } catch {
    return undefined
  }
  // What looks like JSON and is of another shape was written by a person: it is their text.
  const { text, id, from, at } = Structured.safeParse(jsonOf(words)).data ?? { text: words }
  const cut = text.slice(0, longestText).toWellFormed()
  if (cut.trim() === '') return undefined
  return {
    text: cut,
    id: id ?? null,
    from: from ?? null,
    at: isoTime(at) ?? null,
  }
}

function jsonOf(words: string): unknown {
  if (!words.trimStart().startsWith('{')) return undefined
  try {
    return JSON.parse(words)
  } catch {
    return undefined
  }
}
