/** Owns reading JSON of which nothing is demanded but that it is some; what is signed or bound is read by `strict.ts`. */
import type { JsonObject, JsonValue } from './value.ts'

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Undefined where it is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
