/**
 * Owns the ordered event log and its listeners. Events are numbered in commit order without gaps; a listener gets
 * each of them once and in order, whichever process committed it.
 */
import type { EventBody, GatewayEvent, OperatorId, RunId, SessionId } from '@countersign/contract'
import type { Redactor } from '@countersign/contract/node'
import type { ProcessMessages } from '@countersign/database'
import { type CommitHook, json, type PreparedEvent, type Store } from '../store/store.ts'

export interface Delta {
  readonly session: SessionId
  readonly run: RunId
  readonly turn: number
  readonly attempt: number
  readonly kind: 'text' | 'reasoning' | 'call'
  readonly text: string
  readonly tool?: string
}

/** What gateway processes on one database tell each other. */
export type ProcessMessage =
  | { readonly kind: 'events'; readonly operator: OperatorId; readonly seq: number }
  /** Entries of the ledger without events; with events, those tell of both. */
  | { readonly kind: 'entries'; readonly operator: OperatorId }
  | { readonly kind: 'delta'; readonly operator: OperatorId; readonly delta: Delta }
  /** Without a run all of the operator's are to pause; a run is to stop, or to pause, or was ended in its place. */
  | {
      readonly kind: 'control'
      readonly operator: OperatorId
      readonly run: RunId | null
      readonly pause?: boolean
      readonly ended?: boolean
    }

export interface Listener {
  /** Those that are there now, in order. */
  events(events: readonly GatewayEvent[]): void
  delta(delta: Delta): void
  /** The ledger may have grown. */
  ledger?(): void
}

export interface Stream {
  readonly commitHook: CommitHook<PreparedEvent>
  /** Every event after `since`, oldest first, at most `limit`. */
  since(operator: OperatorId, since: number, limit: number): Promise<readonly GatewayEvent[]>
  head(operator: OperatorId): Promise<number>
  /** Up to this number, events may have been removed for their age. */
  removedTo(operator: OperatorId): Promise<number>
  /** Live events from the next one on. Returns what ends the listening, and the number it begins after. */
  listen(
    operator: OperatorId,
    listener: Listener,
  ): Promise<{ readonly after: number; readonly stop: () => void }>
  delta(operator: OperatorId, delta: Delta): void
  /** Told after a commit that wrote to the ledger. */
  appended(operator: OperatorId, hasEvents: boolean): void
  listeners(): number
}

interface OperatorListeners {
  readonly listeners: Set<Listener>
  delivered: number
  readonly early: Map<number, GatewayEvent>
  catchingUp: boolean
}

export function createStream(options: {
  readonly store: () => Store
  readonly redactor: Redactor
  readonly processes: ProcessMessages<ProcessMessage>
  readonly onProblem: (error: unknown) => void
}): Stream {
  const byOperator = new Map<OperatorId, OperatorListeners>()

  const commitHook: CommitHook<PreparedEvent> = {
    prepare: ({ events }) =>
      events.map((event) => {
        const body = options.redactor.json(event)
        return { body, text: json(body) }
      }),
    committed({ operator, now, firstEvent }, prepared) {
      const at = now.toISOString()
      deliver(
        operator,
        prepared.map(({ body }, index) => ({ seq: firstEvent + index, at, body })),
      )
      options.processes.tell({ kind: 'events', operator, seq: firstEvent + prepared.length - 1 })
    },
  }

  function deliver(operator: OperatorId, events: readonly GatewayEvent[]): void {
    const group = byOperator.get(operator)
    if (!group) return
    for (const event of events) if (event.seq > group.delivered) group.early.set(event.seq, event)
    drain(group)
    if (group.early.size > 0) catchUp(operator, group)
  }

  function drain(group: OperatorListeners): void {
    const ready: GatewayEvent[] = []
    for (;;) {
      const next = group.early.get(group.delivered + 1)
      if (!next) break
      group.early.delete(next.seq)
      group.delivered = next.seq
      ready.push(next)
    }
    if (ready.length > 0) for (const listener of group.listeners) listener.events(ready)
  }

  /** Fills a hole left by another process, or by a commit whose turn has not come yet. */
  function catchUp(operator: OperatorId, group: OperatorListeners): void {
    if (group.catchingUp) return
    group.catchingUp = true
    const work = async () => {
      for (;;) {
        const missing = await since(operator, group.delivered, 1_000)
        for (const event of missing) if (event.seq > group.delivered) group.early.set(event.seq, event)
        drain(group)
        if (missing.length < 1_000) return
      }
    }
    work()
      .catch(options.onProblem)
      .finally(() => {
        group.catchingUp = false
      })
  }

  options.processes.hear((message) => {
    if (message.kind === 'events') {
      const group = byOperator.get(message.operator)
      if (group && message.seq > group.delivered) catchUp(message.operator, group)
    }
    if (message.kind === 'delta') show(message.operator, message.delta)
    if (message.kind === 'events' || message.kind === 'entries') grown(message.operator)
  })

  function grown(operator: OperatorId): void {
    for (const listener of byOperator.get(operator)?.listeners ?? []) listener.ledger?.()
  }

  function show(operator: OperatorId, delta: Delta): void {
    for (const listener of byOperator.get(operator)?.listeners ?? []) listener.delta(delta)
  }

  function since(operator: OperatorId, after: number, limit: number): Promise<GatewayEvent[]> {
    return options.store().single(operator, async (db) => {
      const rows = await db
        .selectFrom('events')
        .select(['seq', 'at', 'body'])
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(limit)
        .execute()
      return rows.map((row) => ({ seq: row.seq, at: row.at.toISOString(), body: row.body as EventBody }))
    })
  }

  async function head(operator: OperatorId): Promise<number> {
    const row = await options
      .store()
      .single(operator, (db) =>
        db.selectFrom('operators').select('event_seq').where('id', '=', operator).executeTakeFirst(),
      )
    return row?.event_seq ?? 0
  }

  async function removedTo(operator: OperatorId): Promise<number> {
    const row = await options
      .store()
      .single(operator, (db) =>
        db.selectFrom('operators').select('events_removed_to').where('id', '=', operator).executeTakeFirst(),
      )
    return row?.events_removed_to ?? 0
  }

  return {
    commitHook,
    since,
    head,
    removedTo,
    async listen(operator, listener) {
      const at = await head(operator)
      const known = byOperator.get(operator)
      const group = known ?? { listeners: new Set(), delivered: at, early: new Map(), catchingUp: false }
      byOperator.set(operator, group)
      group.listeners.add(listener)
      const after = group.delivered
      // What was committed since the head was read has passed by; an existing group has already seen it.
      if (!known) catchUp(operator, group)
      return {
        after,
        stop: () => {
          group.listeners.delete(listener)
          if (group.listeners.size === 0) byOperator.delete(operator)
        },
      }
    },
    delta(operator, delta) {
      const shown = { ...delta, text: options.redactor.text(delta.text) }
      show(operator, shown)
      options.processes.tell({ kind: 'delta', operator, delta: shown })
    },
    appended(operator, hasEvents) {
      grown(operator)
      if (!hasEvents) options.processes.tell({ kind: 'entries', operator })
    },
    listeners: () => [...byOperator.values()].reduce((sum, group) => sum + group.listeners.size, 0),
  }
}
