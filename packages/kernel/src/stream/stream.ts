/**
 * Owns the ordered event log and its listeners. Events are numbered in commit order without gaps; a listener gets
 * each of them once and in order, whichever process committed it.
 */
import type { EventBody, GatewayEvent, OperatorId, RunId, SessionId } from '@countersign/contract'
import type { Redactor } from '@countersign/contract/node'
import type { ProcessMessages } from '@countersign/database'
import { type Closer, json, type PreparedEvent, type Store } from '../store/store.ts'

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
  | { readonly kind: 'delta'; readonly operator: OperatorId; readonly delta: Delta }
  /** Without a run all of the operator's are to pause; a run is to stop, or to pause. */
  | {
      readonly kind: 'control'
      readonly operator: OperatorId
      readonly run: RunId | null
      readonly pause?: boolean
    }

export interface Listener {
  /** Those that are there now, in order. */
  events(events: readonly GatewayEvent[]): void
  delta(delta: Delta): void
}

export interface Stream {
  readonly closer: Closer<PreparedEvent>
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
  listeners(): number
}

interface Room {
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
  const rooms = new Map<OperatorId, Room>()

  const closer: Closer<PreparedEvent> = {
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
    const room = rooms.get(operator)
    if (!room) return
    for (const event of events) if (event.seq > room.delivered) room.early.set(event.seq, event)
    drain(room)
    if (room.early.size > 0) catchUp(operator, room)
  }

  function drain(room: Room): void {
    const ready: GatewayEvent[] = []
    for (;;) {
      const next = room.early.get(room.delivered + 1)
      if (!next) break
      room.early.delete(next.seq)
      room.delivered = next.seq
      ready.push(next)
    }
    if (ready.length > 0) for (const listener of room.listeners) listener.events(ready)
  }

  /** Fills a hole left by another process, or by a commit whose turn has not come yet. */
  function catchUp(operator: OperatorId, room: Room): void {
    if (room.catchingUp) return
    room.catchingUp = true
    const work = async () => {
      for (;;) {
        const missing = await since(operator, room.delivered, 1_000)
        for (const event of missing) if (event.seq > room.delivered) room.early.set(event.seq, event)
        drain(room)
        if (missing.length < 1_000) return
      }
    }
    work()
      .catch(options.onProblem)
      .finally(() => {
        room.catchingUp = false
      })
  }

  options.processes.hear((message) => {
    if (message.kind === 'events') {
      const room = rooms.get(message.operator)
      if (room && message.seq > room.delivered) catchUp(message.operator, room)
    }
    if (message.kind === 'delta') show(message.operator, message.delta)
  })

  function show(operator: OperatorId, delta: Delta): void {
    for (const listener of rooms.get(operator)?.listeners ?? []) listener.delta(delta)
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
    closer,
    since,
    head,
    removedTo,
    async listen(operator, listener) {
      const at = await head(operator)
      const known = rooms.get(operator)
      const room = known ?? { listeners: new Set(), delivered: at, early: new Map(), catchingUp: false }
      rooms.set(operator, room)
      room.listeners.add(listener)
      const after = room.delivered
      // What was committed since the head was read has passed by; an existing room has already seen it.
      if (!known) catchUp(operator, room)
      return {
        after,
        stop: () => {
          room.listeners.delete(listener)
          if (room.listeners.size === 0) rooms.delete(operator)
        },
      }
    },
    delta(operator, delta) {
      const shown = { ...delta, text: options.redactor.text(delta.text) }
      show(operator, shown)
      options.processes.tell({ kind: 'delta', operator, delta: shown })
    },
    listeners: () => [...rooms.values()].reduce((sum, room) => sum + room.listeners.size, 0),
  }
}
