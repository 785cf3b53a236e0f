/**
 * Owns what comes in: asks for updates, hands each over, in order within a chat, and lets Telegram forget only what was
 * taken. Telegram keeps one mark for all chats: while an update below it waits to be taken, the same ones are told
 * again, and those that were taken already are left out. It tells a hundred at once, so that a hundred more are heard.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { ChannelContext } from '../frame/adapter.ts'
import { createTaking, pauseAfter } from '../frame/take-in-turn.ts'
import type { BotApi } from './bot-api.ts'
import { readUpdate } from './read-update.ts'
import { Update, Updates, type User, updateKinds } from './update.ts'

export interface PollParts {
  readonly api: BotApi
  readonly me: User
  readonly take: ChannelContext<unknown>['take']
  readonly connected: () => void
  readonly disconnected: (problem: string) => void
  readonly signal: AbortSignal
}

const longPollSeconds = 25
const graceMs = 15_000
const conflictMs = 2_000
const firstPauseMs = 200
const longestPauseMs = 30_000
/** So long it waits for what is being taken, before it looks whether more has come; longer while nothing has. */
const settleMs = 250
const longestSettleMs = 2_000

/** Resolves when the signal has come and nothing is being handed over any more. */
export async function poll(parts: PollParts): Promise<void> {
  const { signal } = parts
  const desk = createDesk(parts)
  let failures = 0
  let quiet = 0
  let isConnected = true
  while (!signal.aborted) {
    const answer = await ask(parts, desk.mark(), isConnected && desk.isEmpty() ? longPollSeconds : 0)
    if (signal.aborted) break
    if (answer.kind === 'updates') {
      failures = 0
      if (!isConnected) parts.connected()
      isConnected = true
      quiet = desk.put(answer.updates) > 0 ? 0 : quiet + 1
      await desk.settled(Math.min(settleMs * 2 ** Math.min(quiet, 20), longestSettleMs))
      continue
    }
    failures += 1
    isConnected = false
    parts.disconnected(answer.problem)
    await waited(Math.max(pauseAfter(failures - 1, firstPauseMs, longestPauseMs), answer.pauseMs), signal)
  }
  await desk.settled(0)
}

type Asked =
  | { readonly kind: 'updates'; readonly updates: Updates }
  | { readonly kind: 'problem'; readonly problem: string; readonly pauseMs: number }

async function ask({ api }: PollParts, mark: number | undefined, seconds: number): Promise<Asked> {
  const answer = await api.call(
    'getUpdates',
    {
      ...(mark === undefined ? {} : { offset: mark }),
      timeout: seconds,
      limit: 100,
      allowed_updates: updateKinds,
    },
    { withinMs: seconds * 1_000 + graceMs },
  )
  if (answer.kind === 'done') {
    const read = Updates.safeParse(answer.result)
    if (read.success) return { kind: 'updates', updates: read.data }
    return { kind: 'problem', problem: 'Telegram said what nobody knows.', pauseMs: 0 }
  }
  if (answer.kind !== 'failed') return { kind: 'problem', problem: answer.problem, pauseMs: 0 }
  if (answer.code !== 409)
    return { kind: 'problem', problem: answer.problem, pauseMs: answer.retryAfterMs ?? 0 }
  if (/webhook/i.test(answer.problem)) {
    await api.call('deleteWebhook', {})
    return {
      kind: 'problem',
      problem: 'The bot sent its messages to a web address; it is ended.',
      pauseMs: 0,
    }
  }
  return {
    kind: 'problem',
    problem: 'Another program uses this bot at the same time. Stop it there, or give each its own bot.',
    pauseMs: conflictMs,
  }
}

interface Desk {
  /** Everything below is taken; undefined where nothing came yet. */
  mark(): number | undefined
  isEmpty(): boolean
  /** Says how many are new. */
  put(updates: Updates): number
  /** Resolves when nothing waits, at the latest after so long. */
  settled(mostMs: number): Promise<void>
}

function createDesk({ me, take, signal }: PollParts): Desk {
  const waiting = new Set<number>()
  const known = new Set<number>()
  const underWay = new Set<Promise<unknown>>()
  const taking = createTaking({ take, signal })
  let highest: number | undefined

  function mark(): number | undefined {
    if (highest === undefined) return undefined
    return waiting.size === 0 ? highest + 1 : Math.min(...waiting)
  }

  function putOne(id: number, raw: unknown): void {
    const update = Update.safeParse(raw)
    const event = update.success ? readUpdate(update.data, me) : undefined
    if (!event) return
    waiting.add(id)
    const given = taking
      .give({ chat: event.chat.id, id: `${event.id} ${id}` }, async () => event)
      .then(() => waiting.delete(id))
      // It rejects only when the channel ends; then it is told again at the next start.
      .catch(() => false)
      .finally(() => underWay.delete(given))
    underWay.add(given)
  }

  return {
    mark,
    isEmpty: () => waiting.size === 0,
    put(updates) {
      const lowest = mark() ?? 0
      for (const id of known) if (id < lowest) known.delete(id)
      const fresh = updates.filter(({ update_id: id }) => !known.has(id))
      for (const update of fresh) {
        highest = update.update_id
        known.add(highest)
        putOne(highest, update)
      }
      return fresh.length
    },
    async settled(mostMs) {
      if (underWay.size === 0) return
      const all = Promise.all(underWay)
      await (mostMs === 0 ? all : Promise.race([all, waited(mostMs, signal)]))
    },
  }
}

/** Ends early when the signal comes. */
async function waited(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined)
}
