/**
 * Owns how events are handed to the gateway: one after the other within a chat, each again after a pause until it is
 * taken, and the same one only once at a time. What the gateway could not even read is not handed over.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { ChannelContext } from './adapter.ts'
import { InboundEvent } from './events.ts'

export interface Taking {
  /**
   * Resolves when it is taken, or is nothing for us. Rejects only when the channel ends. `compose` may look things up;
   * undefined where there is nothing to hand over.
   */
  give(
    turn: { readonly chat: string; readonly id: string },
    compose: () => Promise<InboundEvent | undefined>,
  ): Promise<void>
  /** Does something in the turn of a chat: what comes later waits for it. */
  inTurn(chat: string, work: () => Promise<void>): Promise<void>
  /** Hands over within a turn that one has. */
  now(event: InboundEvent): Promise<void>
}

const firstPauseMs = 250
const longestPauseMs = 30_000

export function createTaking({ take, signal }: Pick<ChannelContext<unknown>, 'take' | 'signal'>): Taking {
  const turns = new Map<string, Promise<void>>()
  const underWay = new Map<string, Promise<void>>()

  function inTurn(chat: string, work: () => Promise<void>): Promise<void> {
    const before = turns.get(chat) ?? Promise.resolve()
    const turn = before.then(work, work).finally(() => {
      if (turns.get(chat) === turn) turns.delete(chat)
    })
    turns.set(chat, turn)
    // Whoever asked for it hears of its end; the next in the row does not care.
    turn.catch(() => undefined)
    return turn
  }

  async function now(event: InboundEvent): Promise<void> {
    const read = InboundEvent.safeParse(event)
    if (!read.success) return
    for (let tries = 0; ; tries += 1) {
      signal.throwIfAborted()
      try {
        return await take(read.data)
      } catch {
        await pause(pauseAfter(tries, firstPauseMs, longestPauseMs), undefined, { signal })
      }
    }
  }

  return {
    inTurn,
    now,
    give({ chat, id }, compose) {
      const same = underWay.get(id)
      if (same) return same
      const given = inTurn(chat, async () => {
        const event = await compose()
        if (event) await now(event)
      }).finally(() => underWay.delete(id))
      underWay.set(id, given)
      given.catch(() => undefined)
      return given
    },
  }
}

/** Longer each time, and never all at once. */
export function pauseAfter(failures: number, firstMs: number, longestMs: number): number {
  const whole = Math.min(firstMs * 2 ** Math.min(failures, 20), longestMs)
  return whole / 2 + Math.random() * (whole / 2)
}
