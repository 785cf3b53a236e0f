/** Owns the calls by which a calendar server is reached: each goes through the door, and its result is read from its row. */
import type { CallOutcome, Label, OperatorId, RunId } from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import { sql } from 'kysely'
import type { AssistantContext } from '../assistant-context.ts'

export type CallServer = (
  operator: OperatorId,
  call: { readonly tool: string; readonly args: string; readonly label?: Label },
  actor: Actor,
) => Promise<{ readonly run: RunId }>

export type CallEnd =
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'denied' }
  | { readonly kind: 'failed'; readonly reason: string }
  /** Somebody is asked, or everything is paused. */
  | { readonly kind: 'waiting' }

export interface ServerCallsOptions {
  readonly context: AssistantContext
  readonly call: CallServer
  readonly stopRun: (run: RunId) => Promise<unknown>
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

const syncActor: Actor = { kind: 'gateway', id: 'calendar-sync' }
const lookEveryMs = 50
/** Longer than the executor may take; what is not over then is looked at with the next sync. */
const longestMs = 200_000

export function createServerCalls({
  context: { operator, records },
  call,
  stopRun,
  wait,
}: ServerCallsOptions) {
  async function begin(tool: string, args: object, label?: Label): Promise<RunId> {
    const proposed = { tool, args: JSON.stringify(args), ...(label ? { label } : {}) }
    return (await call(operator, proposed, syncActor)).run
  }

  async function endOf(run: RunId): Promise<CallEnd | undefined> {
    const rows = await records.single(operator, async ({ db }) => {
      const found = await sql<{ state: string; outcome: CallOutcome | null; text: string; message: string }>`
        select r.state, c.outcome, c.result_text as text, r.message from runs r left join calls c on c.run_id = r.id
        where r.operator_id = ${operator} and r.id = ${run} order by c.turn, c.position limit 1`.execute(db)
      return found.rows
    })
    const [row] = rows
    if (!row) return { kind: 'failed', reason: 'The call is gone.' }
    if (row.state === 'parked') return { kind: 'waiting' }
    if (row.state !== 'stopped') return undefined
    if (row.outcome === 'ok') return { kind: 'done', text: row.text }
    if (row.outcome === 'denied' || row.outcome === 'withdrawn') return { kind: 'denied' }
    return { kind: 'failed', reason: (row.text || row.message || 'The call failed.').slice(0, 500) }
  }

  /** Until it is over or waits for somebody. */
  async function settled(run: RunId, signal: AbortSignal): Promise<CallEnd> {
    for (let left = longestMs / lookEveryMs; left > 0 && !signal.aborted; left -= 1) {
      const end = await endOf(run)
      if (end) return end
      await wait(lookEveryMs, signal)
    }
    return { kind: 'waiting' }
  }

  /** Those that wait for somebody and that no entry waits for: the server has it already, or the note was cut off. */
  async function dropForgotten(account: string): Promise<void> {
    const waiting = await records.read(operator, async ({ db }) => {
      const found = await sql<{ run: RunId; args: string }>`select r.id as run, c.args
        from runs r join calls c on c.run_id = r.id
        where r.operator_id = ${operator} and r.state = 'parked' and c.tool = 'push_synced_entries' and not exists (
          select 1 from synced_entries e where e.operator_id = r.operator_id and e.push_run = r.id)`.execute(
        db,
      )
      return found.rows
    })
    for (const { run, args } of waiting)
      if ((JSON.parse(args) as { readonly account?: unknown }).account === account) await stopRun(run)
  }

  return { begin, endOf, settled, dropForgotten }
}

export type ServerCalls = ReturnType<typeof createServerCalls>
