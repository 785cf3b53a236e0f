/** Owns how a call that is under way in the executor has a model work for it: for the run of its permit, and within its time. */
import type { Assistant } from '@countersign/assistant'
import { permitLifetimeMs, type RunId, type RunWork } from '@countersign/contract'
import type { WorkForPermit } from '@countersign/executor'
import type { RecordTransaction, RecordTransactions } from '@countersign/kernel'

export interface MediaWorkParts {
  readonly records: Pick<RecordTransactions, 'read'>
  readonly workOf: (unit: RecordTransaction, run: RunId) => Promise<RunWork>
  readonly media: Assistant['media']
  readonly onProblem: (problem: unknown) => void
}

/** What is not done before the permit ends was paid for in vain. */
const longestWorkMs = permitLifetimeMs / 2

export function createMediaWork({ records, workOf, media, onProblem }: MediaWorkParts): WorkForPermit {
  return async ({ subject: { operator, run, session, agent } }, task, signal) => {
    try {
      const work = await records.read(operator, (unit) => workOf(unit, run))
      const ending = AbortSignal.any([signal, AbortSignal.timeout(longestWorkMs)])
      return await media({ run, session, agent, ...work }, ending)(task)
    } catch (problem) {
      onProblem(problem)
      return { kind: 'failed', reason: 'No model could be asked. See the log of the gateway.' }
    }
  }
}
