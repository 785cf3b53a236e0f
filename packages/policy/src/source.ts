/**
 * Owns the reading of a policy file into rules with their lines. Leaves their meaning to Cedar, and keeps from
 * Cedar a rule so deep that it would exhaust the engine's stack, which would then deny everything until a restart.
 */

export interface PolicyFile {
  readonly name: string
  readonly text: string
}

export interface Statement {
  readonly text: string
  /** Counted from 1, where the rule itself begins. */
  readonly line: number
  /** Brackets inside brackets. */
  readonly depth: number
  /** Operators, accesses and clauses: whatever may stack up without a bracket. */
  readonly operators: number
}

/** Cedar 4.13 was seen to hold 100 brackets deep or 300 operators, and to break at 150 or 400. */
export const ruleLimits = { depth: 24, operators: 200 } as const

/** Splits at each semicolon outside strings and comments. What is left after the last one is a statement too. */
export function splitStatements(text: string): readonly Statement[] {
  const outline = outlineOf(text)
  const statements: Statement[] = []
  let line = 1
  for (let from = 0; from < outline.length; ) {
    const semicolon = outline.indexOf(';', from)
    const end = semicolon < 0 ? outline.length : semicolon + 1
    const whole = outline.slice(from, end)
    const lead = whole.length - whole.trimStart().length
    if (lead < whole.length) {
      statements.push({
        text: text.slice(from + lead, end),
        line: line + newlinesIn(whole.slice(0, lead)),
        depth: depthOf(whole),
        operators: whole.match(/[.+*<-]|&&|\|\||[=!>]+|\b(?:if|in|is|has|like|when|unless)\b/g)?.length ?? 0,
      })
    }
    line += newlinesIn(whole)
    from = end
  }
  return statements
}

/** The line of the file where a byte of the statement stands. */
export function lineOf(statement: Statement, byteOffset: number): number {
  return statement.line + newlinesIn(Buffer.from(statement.text).subarray(0, byteOffset).toString('latin1'))
}

/** The text at its own length with comments blank and strings filled, so that what is left is only structure. */
function outlineOf(text: string): string {
  return text.replaceAll(/"(?:\\[^]|[^"\\])*"?|\/\/[^\n\r]*/g, (part) =>
    part.replaceAll(/[^\n]/g, part.startsWith('"') ? '_' : ' '),
  )
}

function depthOf(outline: string): number {
  let depth = 0
  let deepest = 0
  for (const character of outline) {
    if ('([{'.includes(character)) deepest = Math.max(deepest, ++depth)
    else if (')]}'.includes(character)) depth--
  }
  return deepest
}

function newlinesIn(text: string): number {
  return text.split('\n').length - 1
}
