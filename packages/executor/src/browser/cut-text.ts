/** Owns how text that a page made is cut. */

/** Well-formed text of at most so many bytes in UTF-8. */
export function cutText(text: string, mostBytes: number): { text: string; truncated: boolean } {
  const bytes = Buffer.from(text.slice(0, mostBytes).toWellFormed())
  if (text.length <= mostBytes && bytes.length <= mostBytes)
    return { text: text.toWellFormed(), truncated: false }
  // A character that the cut went through is left out.
  return { text: new TextDecoder().decode(bytes.subarray(0, mostBytes), { stream: true }), truncated: true }
}

export function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').slice(0, 500)
}
