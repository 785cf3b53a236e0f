/** Owns how long work on one entry may take, where what somebody wrote decides how much there is to do. */
import { runInNewContext } from 'node:vm'

/** Nothing where it was not done in time. */
export function doneWithin<Result>(ms: number, work: () => Result): { readonly result: Result } | undefined {
  let done: { readonly result: Result } | undefined
  const act = () => {
    done = { result: work() }
  }
  try {
    runInNewContext('act()', { act }, { timeout: ms })
  } catch (error) {
    // It is an error of that context, and no instance of ours.
    if ((error as { readonly code?: unknown } | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    return undefined
  }
  return done
}
