/** Owns what of a description stands alone. */

/** A point ends a sentence where a capital follows, so that "e.g. so" ends none. */
export function firstSentence(description: string): string {
  return /^.*?[.!?](?=\s+\p{Lu}|\s*$)/su.exec(description)?.[0] ?? description
}
