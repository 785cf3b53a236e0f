/** Owns the words for how another program ended: by which code or signal, and what it wrote that says why. */

export interface ProgramEnd {
  readonly code: number | string | null | undefined
  readonly signal: string | null | undefined
  /** What it wrote where errors go. */
  readonly written: string
}

/** Follows the name of the program. */
export function programEndText({ code, signal, written }: ProgramEnd): string {
  const how = signal ? `was ended by ${signal}` : `ended with code ${code}`
  const why = tellingLine(written)
  return why === '' ? `${how}.` : `${how}: ${why}`
}

const longestQuote = 300

/** Above the line with the error Node quotes source, and below it there are only places. */
function tellingLine(written: string): string {
  const lines = written
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const named = lines.find((line) => /^(\w*Error\b|FATAL ERROR|what\(\))/.test(line))
  const words = (named ?? lines.at(-1) ?? '').slice(0, longestQuote)
  return words === '' || words.endsWith('.') ? words : `${words}.`
}
