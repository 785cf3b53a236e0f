/**
 * Owns the end of private conversations: when one is left, after a silence, and where a gateway starts that no longer
 * knows who was in them. What of it still works is stopped, and every word goes as soon as nothing works any more.
 */
import { conversationWindow } from '@countersign/agent'
import type { OperatorId, RunId, SessionId } from '@countersign/contract'
import type { Actor, RunRow } from '@countersign/kernel'
import { sql } from 'kysely'
import type { AssistantContext, AssistantTransaction } from '../assistant-context.ts'
import { tryToErase } from './erase.ts'

export interface PrivateOptions {
  readonly context: AssistantContext
  /** Asks a run to stop. */
  readonly stopRun: (run: RunId) => Promise<unknown>
  /** What was kept in memory of the requests of these runs goes too. */
  readonly forgetRequests: (runs: readonly RunId[]) => void
  readonly silenceMs?: number
}

export interface PrivateConversations {
  has(operator: OperatorId, session: SessionId): Promise<boolean>
  /** Ends it. It is erased at once, or when what works in it has stopped. */
  end(operator: OperatorId, session: SessionId, actor: Actor): Promise<number>
  /** In the transaction that ends a run. What ended in another process is found by the sweep. */
  runEnded(tx: AssistantTransaction, run: RunRow): void
  /** Ends what is silent, and erases what has ended. */
  sweep(now: Date): Promise<void>
  /** Nobody is in any of them: the process that they were in is gone. */
  endAll(): Promise<void>
}

const atOnce = 100
const gateway: Actor = { kind: 'gateway', id: 'gateway' }

export function createPrivateConversations(options: PrivateOptions): PrivateConversations {
  const { context, stopRun, forgetRequests } = options
  const { operator: own, records, onProblem } = context
  /** Those that this process ended and that still work. */
  const ending = new Set<SessionId>()
  const silenceMs = options.silenceMs ?? conversationWindow.quietMs

  async function has(operator: OperatorId, session: SessionId): Promise<boolean> {
    const found = await records.shared(operator, ({ db }) =>
      db.selectFrom('sessions').select('private').where('id', '=', session).executeTakeFirst(),
    )
    return found?.private ?? false
  }

  async function end(operator: OperatorId, session: SessionId, actor: Actor): Promise<number> {
    const { ledger } = await records.change(operator, async (tx) => {
      const held = await tx.sessions.lock(session)
      if (!held?.private) return
      await tx.sessions.mark(session, { ended: true })
      tx.record({ type: 'session.ended', actor, session, data: {} })
    })
    await erase(operator, session)
    return ledger
  }

  /** Whatever works is stopped first, and its end brings us back here. */
  async function erase(operator: OperatorId, session: SessionId): Promise<void> {
    const { value } = await records.change(operator, async (tx) => {
      const held = await tx.sessions.lock(session)
      if (!held?.private) return []
      const runs = await runsOf(tx, session)
      const working = runs.filter(({ state }) => state !== 'stopped').map(({ id }) => id)
      if (working.length > 0) return working
      const messages = await tryToErase(tx, session)
      if (messages === null) return []
      await tx.sessions.mark(session, { removed: true })
      tx.record({ type: 'session.removed', actor: gateway, session, data: { messages } })
      tx.afterCommit(() => forgetRequests(runs.map(({ id }) => id)))
      return []
    })
    if (value.length === 0) ending.delete(session)
    else ending.add(session)
    for (const run of value) await stopRun(run)
  }

  async function sweep(now: Date): Promise<void> {
    const silentSince = new Date(now.getTime() - silenceMs)
    const due = await records.single(own, ({ db }) =>
      db
        .selectFrom('sessions')
        .select(['id', 'ends_at'])
        .where('private', '=', true)
        .where('removed_at', 'is', null)
        .where((is) =>
          is.or([
            is('ends_at', 'is not', null),
            is.and([is('updated_at', '<=', silentSince), isSilent(silentSince)]),
          ]),
        )
        .limit(atOnce)
        .execute(),
    )
    for (const { id, ends_at } of due) await (ends_at === null ? end(own, id, gateway) : erase(own, id))
  }

  return {
    has,
    end,
    runEnded(tx, { session_id: session }) {
      if (ending.has(session)) tx.afterCommit(() => void erase(own, session).catch(onProblem))
    },
    sweep,
    async endAll() {
      const open = await records.single(own, ({ db }) =>
        db
          .selectFrom('sessions')
          .select('id')
          .where('private', '=', true)
          .where('removed_at', 'is', null)
          // Nobody talks in that of a reader; it goes with the conversation that asked it.
          .where('hidden_at', 'is', null)
          .execute(),
      )
      for (const { id } of open) await end(own, id, gateway)
    },
  }
}

/** Nothing in it works, and nothing happened since: a question that nobody answers does not keep it. */
function isSilent(since: Date) {
  return sql<boolean>`not exists (
      select 1 from runs where runs.id = sessions.active_run_id and runs.state = 'running')
    and not exists (
      select 1 from events where events.operator_id = sessions.operator_id
        and events.session_id = sessions.id and events.at > ${since})`
}

function runsOf({ db }: AssistantTransaction, session: SessionId) {
  return db.selectFrom('runs').select(['id', 'state']).where('session_id', '=', session).execute()
}
