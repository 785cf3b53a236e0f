/**
 * Owns the calls by which the product itself reaches a server, for calendars and for new e-mails: each goes through the
 * door, and its result is read from its row.
 */
import { type CallOutcome, type Label, type OperatorId, parseStrict, type RunId } from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { AssistantContext } from './assistant-context.ts'

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

const listText = { bytes: 4_000_000, depth: 12 }

/** Said to the operator; anything else that fails is a mistake of ours. */
export class ServerProblem extends Error {}

export function readEnd<T>(end: CallEnd, form: z.ZodType<T>): T {
  if (end.kind === 'done') {
    const read = parseStrict(end.text, listText)
    const parsed = read.kind === 'refused' ? undefined : form.safeParse(read.value)
    if (parsed?.success) return parsed.data
    throw new ServerProblem('The server’s answer makes no sense.')
  }
  if (end.kind === 'waiting') throw new ServerProblem('The look at the server waits for your approval.')
  throw new ServerProblem(end.kind === 'denied' ? 'The look at the server was denied.' : end.reason)
}

/** A sentence where it did not work. */
export function readOrProblem<T extends object>(end: CallEnd, form: z.ZodType<T>): T | string {
  try {
    return readEnd(end, form)
  } catch (problem) {
    if (problem instanceof ServerProblem) return problem.message
    throw problem
  }
}

const lookEveryMs = 50
/** Longer than the executor may take; what is not over then is looked at later. */
const longestMs = 200_000

export function createServerCalls(
  { context: { operator, records }, call, stopRun, wait }: ServerCallsOptions,
  caller: string,
) {
  const actor: Actor = { kind: 'gateway', id: caller }

  async function begin(tool: string, args: object, label?: Label): Promise<RunId> {
    const proposed = { tool, args: JSON.stringify(args), ...(label ? { label } : {}) }
    return (await call(operator, proposed, actor)).run
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

  return { begin, endOf, settled, stop: stopRun }
}

export type ServerCalls = ReturnType<typeof createServerCalls>
