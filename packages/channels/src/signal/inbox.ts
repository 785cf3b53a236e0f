/**
 * Owns what signal-cli handed out until the gateway has it. Signal tells nothing twice, so what waits is kept as well;
 * and when much waits, signal-cli is to hand out no more: the rest stays at Signal.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelContext } from '../frame/adapter.ts'
import type { InboundEvent } from '../frame/events.ts'
import { createKeeper } from '../frame/keeper.ts'
import { createTaking } from '../frame/take-in-turn.ts'
import { eventOf, type OwnAccount } from './envelope.ts'
import type { SignalSettings } from './manifest.ts'
import { readState, writeState } from './state.ts'

export interface SignalInbox {
  readonly own: OwnAccount
  /** Our id was found out. */
  known(aci: string): void
  heard(method: string, params: unknown): void
  /** So much waits that no more should come. */
  readonly isFull: boolean
  /** Told whenever `isFull` changes. */
  onChange(listener: () => void): void
  /** Keeps what still waits. */
  end(): Promise<void>
}

const mostWaiting = 50
const keepMs = 1_000

export function createSignalInbox(context: ChannelContext<SignalSettings>): SignalInbox {
  const state = readState(context.state)
  const waiting = new Map<string, InboundEvent>()
  const taking = createTaking(context)
  let { aci } = state
  let isFull = false
  let changed: () => void = () => undefined
  const written = () => writeState({ aci, waiting: [...waiting.values()] })
  const keeper = createKeeper(context, written)

  function give(event: InboundEvent): void {
    if (waiting.has(event.id)) return
    waiting.set(event.id, event)
    taking
      .give({ chat: event.chat.id, id: event.id }, async () => event)
      .then(
        () => {
          waiting.delete(event.id)
          keeper.changed()
          look()
        },
        // The channel ends; what waits is kept.
        () => undefined,
      )
    keeper.changed()
    look()
  }

  function look(): void {
    const now = isFull ? waiting.size > mostWaiting / 2 : waiting.size >= mostWaiting
    if (now === isFull) return
    isFull = now
    changed()
  }

  for (const event of state.waiting) give(event)
  return {
    get own() {
      return { account: context.settings.account, aci }
    },
    known(id) {
      aci = id
      keeper.changed()
    },
    heard(method, params) {
      const event =
        method === 'receive' ? eventOf(params, { account: context.settings.account, aci }) : undefined
      if (event) give(event)
    },
    get isFull() {
      return isFull
    },
    onChange(listener) {
      changed = listener
    },
    async end() {
      if (waiting.size > 0) await within(context.keep(written()), keepMs)
    },
  }
}

/** Whether it is kept or not: the channel ends. */
async function within(work: Promise<void>, mostMs: number): Promise<void> {
  const over = new AbortController()
  const done = work.catch(() => undefined)
  await Promise.race([done, sleep(mostMs, undefined, { signal: over.signal }).catch(() => undefined)])
  over.abort()
}
