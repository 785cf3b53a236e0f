/**
 * Owns writing a program in letters of one byte. Node keeps the text of a program for as long as it runs, and a single
 * letter beyond Latin-1 makes it keep two bytes for each. The programs of channels are many and small, so that counts.
 */

/** For programs as a bundler writes them, where such letters stand in literals, names and comments only. */
export function inPlainLetters(code: string): string {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function plainLetters() {
  return { name: 'plain-letters', renderChunk: (code: string) => ({ code: inPlainLetters(code) }) }
}
