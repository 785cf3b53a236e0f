/** Owns reading JSON of which nothing is demanded but that it is some; what is signed or bound is read by `strict.ts`. */

/** Undefined where it is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
