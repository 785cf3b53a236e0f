/**
 * Owns how events of a platform that speaks by itself are handed over: again until they are taken, in order within a
 * chat, and no chat waits for another.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { ChannelContext } from './adapter.ts'
import type { InboundEvent } from './events.ts'

export interface Intake {
  /** Resolves when it is taken, and rejects only when the channel ends. */
  take(event: InboundEvent): Promise<void>
  /** How many wait. */
  readonly waiting: number
}

const firstPauseMs = 100
const longestPauseMs = 10_000

export function createIntake({ take, signal }: Pick<ChannelContext<unknown>, 'take' | 'signal'>): Intake {
  const last = new Map<string, Promise<void>>()
  let waiting = 0

  async function insist(event: InboundEvent): Promise<void> {
    for (let next = firstPauseMs; ; next = Math.min(next * 2, longestPauseMs)) {
      signal.throwIfAborted()
      try {
        return await take(event)
      } catch {
        // It was not taken: the same event once more, until the channel ends.
        await pause(next, undefined, { signal })
      }
    }
  }

  return {
    get waiting() {
      return waiting
    },
    take(event) {
      waiting += 1
      const chat = event.chat.id
      const before = last.get(chat)
      const work = (before ? before.then(() => insist(event)) : insist(event)).finally(() => {
        waiting -= 1
        if (last.get(chat) === work) last.delete(chat)
      })
      last.set(chat, work)
      return work
    },
  }
}
