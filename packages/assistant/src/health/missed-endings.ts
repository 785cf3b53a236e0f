/**
 * Owns ends that were not heard: a plan or an occurrence that is still open although its run stopped, because that part
 * failed when it was told. It is told again, and does what it would have done.
 */
import type { RunId } from '@countersign/contract'
import type { RunEnd, RunRow } from '@countersign/kernel'
import { sql } from 'kysely'
import type { AssistantContext, AssistantTransaction } from '../assistant-context.ts'

export interface MissedEndingsParts {
  readonly context: AssistantContext
  /** What an end leads to; told again it changes nothing that is done. */
  readonly tell: (tx: AssistantTransaction, run: RunRow, end: RunEnd) => Promise<void>
}

/** Whoever ends a run tells it at the same moment; later than this nobody will. */
const unheardMs = 60_000
const mostAtOnce = 50

export function createMissedEndings({ context, tell }: MissedEndingsParts) {
  const { operator, records, clock, onProblem } = context

  async function unheard(): Promise<readonly RunRow[]> {
    const before = new Date(clock().getTime() - unheardMs)
    return records.read(operator, async (tx) => {
      const plans = await tx.records.list('plans', { where: { status: 'in_progress' }, limit: mostAtOnce })
      const ofPlans = plans.records.map(({ data }) => data['run']).filter((run) => typeof run === 'string')
      const { rows } = await sql<{ run_id: RunId }>`
        select inputs.run_id from occurrences
        join inputs on inputs.operator_id = occurrences.operator_id and inputs.key = 'occ/' || occurrences.id
        where occurrences.operator_id = ${operator} and occurrences.state = 'due' and inputs.run_id is not null
        limit ${mostAtOnce}`.execute(tx.db)
      const ids = [...ofPlans, ...rows.map((row) => row.run_id)] as RunId[]
      if (ids.length === 0) return []
      return tx.db
        .selectFrom('runs')
        .selectAll()
        .where('id', 'in', ids)
        .where('state', '=', 'stopped')
        .where('ended_at', '<', before)
        .execute()
    })
  }

  return {
    /** Says how many were told again. */
    async mend(): Promise<number> {
      const runs = await unheard()
      for (const run of runs) {
        const end = { reason: run.reason ?? 'error', message: run.message }
        await records.change(operator, (tx) => tell(tx, run, end)).catch(onProblem)
      }
      return runs.length
    },
  }
}
