/** Owns how many tokens texts come to where nobody counts them. */

/** About four characters make a token, and every text has at least one. */
export function estimatedTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Math.max(1, Math.ceil(text.length / 4)), 0)
}

/** No tokenizer makes more tokens than there are bytes, but for the marks at both ends. */
export function mostTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 2, 0)
}
