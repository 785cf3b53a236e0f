/** Runs work for at most so long, though it never pauses, and keeps what it would write off the console. */
import { runInNewContext } from 'node:vm'

export type TimedResult<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'late' }
  | { readonly kind: 'broken'; readonly reason: string }

/** The work must be synchronous. It is cut off wherever it is when its time is over, so it must own what it changes. */
export function bounded<Value>(work: () => Value, timeoutMs: number): TimedResult<Value> {
  const { log, warn, error } = console
  const quiet = () => undefined
  Object.assign(console, { log: quiet, warn: quiet, error: quiet })
  try {
    return { kind: 'done', value: runInNewContext('work()', { work }, { timeout: timeoutMs }) as Value }
  } catch (thrown) {
    if ((thrown as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      return { kind: 'late' }
    return { kind: 'broken', reason: thrown instanceof Error ? thrown.message : String(thrown) }
  } finally {
    Object.assign(console, { log, warn, error })
  }
}
