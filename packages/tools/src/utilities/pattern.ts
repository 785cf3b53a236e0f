/**
 * Owns matching with a pattern that a model wrote. The engine takes time in proportion to text and pattern, never
 * more; what would still take too long is refused.
 */
import type { JsonObject } from '@countersign/contract'
import type { Matcher, RE2JS } from 're2js'
import { z } from 'zod'
import { answer, type ComputationResult, refuse } from './computing.ts'

export const patternText = z.string().min(1).max(300).describe('RE2 syntax: no lookaround, no backreference')

export const patternFlags = z
  .string()
  .max(8)
  .regex(/^[gimsu]*$/, 'may have the letters i, m and s')
  .default('')
  .describe('i: ignore case, m: ^ and $ at lines, s: dot matches line ends')

export interface Pattern {
  readonly program: RE2JS
  readonly deadline: number
}

export interface PatternMatch {
  readonly match: string
  readonly index: number
  readonly groups: (string | null)[]
  readonly named: JsonObject
}

export interface MatchList {
  readonly matches: readonly PatternMatch[]
  /** There may be more than these. */
  readonly truncated: boolean
}

/** Prepares the pattern for one text. */
export async function compilePattern(
  pattern: string,
  flags: string,
  text: string,
): Promise<ComputationResult<Pattern>> {
  if (repeats(pattern) > mostRepeats)
    return refuse(`The pattern repeats too much; its counts may sum to ${mostRepeats}. Use * or + instead.`)
  const { RE2JS: Engine, RE2JSException } = await import('re2js')
  const start = workedMs()
  const flagBits =
    (flags.includes('i') ? Engine.CASE_INSENSITIVE : 0) |
    (flags.includes('m') ? Engine.MULTILINE : 0) |
    (flags.includes('s') ? Engine.DOTALL : 0)
  try {
    const program = Engine.compile(Engine.translateRegExp(pattern), flagBits)
    const longest = Math.floor(mostSteps / program.programSize())
    if (text.length > longest)
      return refuse(
        `This pattern is too large for a text of ${text.length} characters; it can search ${longest} at a time. Shorten one of them.`,
      )
    return answer({ program, deadline: start + budgetMs })
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return refuse(
      `The pattern is not valid: ${error.message}. Lookaround and backreferences are not supported.`,
    )
  }
}

/** The matches in order, until there are so many or their text is long. */
export function matchesOf(pattern: Pattern, text: string, limit: number): ComputationResult<MatchList> {
  const names = Object.entries(pattern.program.namedGroups())
  const matches: PatternMatch[] = []
  let told = 0
  let truncated = false
  const end = walk(pattern, text, (matcher) => {
    if (matches.length === limit || told > longestTold) {
      truncated = true
      return false
    }
    const found = Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group))
    told += found.reduce((sum, group) => sum + (group?.length ?? 0), 0)
    const named = Object.fromEntries(names.map(([name, group]) => [name, found[group] ?? null]))
    matches.push({ match: found[0] ?? '', index: matcher.start(), groups: found.slice(1), named })
    return true
  })
  return end.kind === 'refused' ? end : answer({ matches, truncated })
}

/** In the replacement, `$1` and `$<name>` are groups, `$&` is the match and `$$` a dollar. */
export function replaceMatches(
  pattern: Pattern,
  text: string,
  replacement: string,
): ComputationResult<{ text: string; replaced: number }> {
  const pieces: string[] = []
  const template = readTemplate(replacement, pattern.program)
  let from = 0
  let size = 0
  let replaced = 0
  const add = (piece: string) => {
    size += piece.length
    pieces.push(piece)
  }
  const end = walk(pattern, text, (matcher) => {
    add(text.slice(from, matcher.start()))
    for (const part of template) add(typeof part === 'string' ? part : (matcher.group(part) ?? ''))
    from = matcher.end()
    replaced += 1
    return size <= longestTold
  })
  if (end.kind === 'refused') return end
  if (size > longestTold) return refuse(`The new text would have more than ${longestTold} characters.`)
  return answer({ text: `${pieces.join('')}${text.slice(from)}`, replaced })
}

export function splitAtMatches(pattern: Pattern, text: string, limit: number): ComputationResult<string[]> {
  const pieces: string[] = []
  let from = 0
  const end = walk(pattern, text, (matcher) => {
    if (matcher.end() > matcher.start() || (matcher.start() > 0 && matcher.start() < text.length)) {
      pieces.push(text.slice(from, matcher.start()))
      from = matcher.end()
    }
    return pieces.length < limit - 1
  })
  return end.kind === 'refused' ? end : answer([...pieces, text.slice(from)])
}

/** One search costs up to 50 ns for each character and instruction. */
const mostSteps = 2_000_000
const budgetMs = 120
/** A text so short is searched to its end on any machine, however slow that is. */
const alwaysSearched = 500
const mostRepeats = 1000
const longestTold = 400_000

/**
 * A search is linear, but a match at every character with a look to the end for each is not: the walk ends before
 * the next search could go past the deadline.
 */
function walk(pattern: Pattern, text: string, visit: (matcher: Matcher) => boolean): ComputationResult<null> {
  const matcher = pattern.program.matcher(text)
  let slowest = 0
  for (;;) {
    const before = workedMs()
    if (text.length > alwaysSearched && before + slowest > pattern.deadline)
      return refuse('The pattern takes too long on this text. Make it more specific or give less text.')
    if (!matcher.find() || !visit(matcher)) return answer(null)
    slowest = Math.max(slowest, workedMs() - before)
  }
}

/** Time that this thread worked: on a busy machine the same search ends at the same place. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The engine unrolls counts, so a short pattern can be a large program. */
function repeats(pattern: string): number {
  return [...pattern.matchAll(/\{(\d{1,9})(?:,(\d{0,9}))?\}/g)].reduce(
    (sum, [, least, most]) => sum + Math.max(Number(least), Number(most || 0)),
    0,
  )
}

function readTemplate(replacement: string, program: RE2JS): (string | number)[] {
  const names = new Map(Object.entries(program.namedGroups()))
  return replacement.split(/(\$(?:\$|&|\d{1,2}|<\w{1,60}>))/).flatMap((part): (string | number)[] => {
    if (part === '$$') return ['$']
    if (part === '$&') return [0]
    const group = /^\$(\d{1,2})$/.exec(part)?.[1]
    if (group !== undefined) return Number(group) <= program.groupCount() ? [Number(group)] : [part]
    const named = names.get(/^\$<(\w+)>$/.exec(part)?.[1] ?? '')
    if (named !== undefined) return [named]
    return part === '' ? [] : [part]
  })
}
