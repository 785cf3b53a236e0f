/** Owns the wait for a call that was made for a message of a chat: the message goes on with what came of it, or without. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperatorId, RunId } from '@countersign/contract'
import type { Kernel } from '@countersign/kernel'

export type CallEnd =
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'failed' }
  /** It waits for somebody, or is still at work. */
  | { readonly kind: 'open' }

const lookMs = 50

export async function endOfCall(
  { readOnly }: Pick<Kernel, 'readOnly'>,
  operator: OperatorId,
  run: RunId,
  patienceMs: number,
): Promise<CallEnd> {
  const until = Date.now() + patienceMs
  while (Date.now() < until) {
    const row = await readOnly(operator, (db) =>
      db
        .selectFrom('runs')
        .leftJoin('calls', 'calls.run_id', 'runs.id')
        .select(['runs.state', 'runs.reason', 'calls.outcome', 'calls.result_text'])
        .where('runs.id', '=', run)
        .executeTakeFirst(),
    )
    if (row?.state === 'stopped') {
      const isDone = row.reason === 'completed' && row.outcome === 'ok'
      return isDone ? { kind: 'done', text: row.result_text ?? '' } : { kind: 'failed' }
    }
    if (row?.state !== 'running') return { kind: 'open' }
    await sleep(lookMs)
  }
  return { kind: 'open' }
}
