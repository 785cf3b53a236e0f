/**
 * Owns how much a computation takes. Refuses more than can be worked through at once, because the work is done where
 * everything else waits for it.
 */
import type { JsonObject, JsonValue } from '@countersign/contract'
import { z } from 'zod'

export const longestText = 200_000
export const mostItems = 10_000

/** Whatever is searched for: comparing takes its length times that of the text. */
export const longestNeedle = 500

export const text = z.string().max(longestText)

export const needle = z.string().min(1).max(longestNeedle)

export const numbers = z.array(z.number()).min(1).max(mostItems)

export const scalarList = z
  .array(z.union([z.string(), z.number()]))
  .max(mostItems)
  .refine(fits, tooMuch())

export const anyValue = z.custom<JsonValue>((value) => value !== undefined)

/** What other values are compared with, one after the other. */
export const smallValue = anyValue.refine(
  (value) => JSON.stringify(value).length <= longestNeedle,
  `must have at most ${longestNeedle} characters`,
)

export const anyList = z.array(anyValue).max(mostItems).refine(fits, tooMuch())

/** Rows of a table: all objects, or all lists. */
export const rowList = z
  .array(
    z.union([
      z.array(anyValue),
      z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
    ]),
  )
  .max(mostItems)
  .refine(fits, tooMuch())

function fits(items: readonly JsonValue[]): boolean {
  return JSON.stringify(items).length <= longestText + items.length * 3
}

function tooMuch(): string {
  return `must have at most ${longestText} characters in all`
}
