/** Owns whether an address says to a person where it leads: without a name or a password in it, and in letters that have no look-alikes. */

/** As somebody wrote it, and as a program reads it: the two are the same letters. */
export function isWrittenAsRead(text: string): boolean {
  const origin = URL.parse(text)?.origin
  if (origin === undefined || origin === 'null' || !/^[\x21-\x7e]+$/.test(text)) return false
  return text.startsWith(origin) && /^(?::\d+)?(?:[/?#]|$)/.test(text.slice(origin.length))
}

export const writtenOtherwise =
  'an address that is not written as it is read, such as https://example.org/mcp'
