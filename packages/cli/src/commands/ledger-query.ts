/** Reads what is asked of the ledger before anything is sent, and points at what could not be read. */
import { type LedgerQueryProblem, longestLedgerQuery, parseLedgerQuery } from '@countersign/contract'
import type { OptionValues } from '../context.ts'
import { type CommandAnswer, failed } from '../output/answer.ts'
import { usageExit } from '../output/failure.ts'
import { line } from '../output/safe-text.ts'

export function problemOf(text: string): LedgerQueryProblem | undefined {
  return parseLedgerQuery(text).problems[0]
}

/** Points at what could not be read. */
export function unread(text: string, { at, length, message, next }: LedgerQueryProblem): CommandAnswer {
  const shown = text.length <= longestLedgerQuery && line(text) === text
  const place = shown ? `\n  ${text}\n  ${' '.repeat(at)}${'^'.repeat(length)}` : ''
  return failed({
    type: 'usage',
    message: `${line(message)}${place}`,
    next,
    exit: usageExit,
    details: { at, length },
  })
}

export function countIn(value: OptionValues[string], usual: number): number | undefined {
  const count = typeof value === 'string' ? Number(value) : usual
  return Number.isInteger(count) && count >= 0 && count <= 500 ? count : undefined
}
