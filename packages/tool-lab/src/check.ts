/** Owns what a check says: whether it held, on how much, and each way in which it did not, once. */

export const checkNames = [
  'definition',
  'arguments',
  'cards',
  'display',
  'imports',
  'effects',
  'undo',
  // Of a plugin.
  'manifest',
  'files',
  'tests',
  'examples',
  // Of one that is a channel.
  'channel',
  'sandbox',
] as const
export type CheckName = (typeof checkNames)[number]

export interface Problem {
  /** What was seen, as the end of a sentence about the tool. */
  readonly sentence: string
  /** The arguments that showed it first, as JSON; null where it needs none. */
  readonly args: string | null
  /** What to do about it. */
  readonly fix: string
  readonly times: number
}

export interface Check {
  readonly name: CheckName
  readonly state: 'passed' | 'failed' | 'skipped'
  /** What was looked at and how much of it, or why it was not. */
  readonly summary: string
  readonly problems: readonly Problem[]
  /** Worth knowing, and no fault. */
  readonly notes: readonly string[]
  readonly ms: number
}

export interface Findings {
  problem(sentence: string, fix: string, args?: unknown): void
  note(sentence: string): void
  hasProblems(): boolean
  end(summary: string): Check
  /** There was nothing to look at. What was found before still counts. */
  skip(why: string): Check
}

export function openCheck(name: CheckName): Findings {
  const began = performance.now()
  const problems = new Map<string, Problem>()
  const notes = new Set<string>()
  const check = (state: Check['state'], summary: string): Check => ({
    name,
    state: problems.size > 0 ? 'failed' : state,
    summary,
    problems: [...problems.values()],
    notes: [...notes],
    ms: Math.round(performance.now() - began),
  })
  return {
    problem(sentence, fix, args) {
      const known = problems.get(sentence)
      const text = known?.args ?? (args === undefined ? null : shortJson(args))
      problems.set(sentence, { sentence, fix, args: text, times: (known?.times ?? 0) + 1 })
    },
    note: (sentence) => void notes.add(sentence),
    hasProblems: () => problems.size > 0,
    end: (summary) => check('passed', summary),
    skip: (why) => check('skipped', why),
  }
}

const longestJson = 300

/** Says how much there was where it does not show all of it. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  if (text.length <= longestJson) return text
  return `${text.slice(0, longestJson).toWellFormed()}… (${text.length} characters in all)`
}

const longestMessage = 200

/** The first line of what was thrown. */
export function firstLineOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return line.length <= longestMessage ? line : `${line.slice(0, longestMessage).toWellFormed()}…`
}
