/** Owns what `/undo` does in a chat: takes back what the last run there did, through the same door as everything. */
import type { OperatorId, RunId, SessionId } from '@countersign/contract'
import type { Actor, Kernel } from '@countersign/kernel'
import { endOfCall } from './end-of-call.ts'

/** What waits for somebody is not waited for. */
const patienceMs = 20_000

/** What to say. Throws what a person can do something about, such as that nothing can be undone. */
export async function undoLast(
  kernel: Pick<Kernel, 'readOnly' | 'undoRun'>,
  operator: OperatorId,
  session: SessionId,
  actor: Actor,
): Promise<string> {
  const last = await lastRunOf(kernel, operator, session)
  if (last === null) return 'Nothing was done here yet.'
  const { run, calls } = await kernel.undoRun(operator, last, actor)
  switch ((await endOfCall(kernel, operator, run, patienceMs)).kind) {
    case 'done':
      return `Undone: ${calls} ${calls === 1 ? 'change' : 'changes'}.`
    case 'failed':
      return 'Not all of it could be undone. See Activity in the app.'
    case 'open':
      return 'Undoing it takes longer, or waits for you. See Activity in the app.'
  }
}

async function lastRunOf(
  { readOnly }: Pick<Kernel, 'readOnly'>,
  operator: OperatorId,
  session: SessionId,
): Promise<RunId | null> {
  const row = await readOnly(operator, (db) =>
    db
      .selectFrom('runs')
      .select('id')
      .where('session_id', '=', session)
      .where('kind', '=', 'agent')
      .orderBy('started_at', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirst(),
  )
  return row?.id ?? null
}
