/**
 * Owns how far each chat was taken, so that what was said while nobody listened can be read from there. What comes in
 * meanwhile waits until its chat has caught up.
 */
import type { Taking } from './take-in-turn.ts'

export interface Progress {
  /** The last that was taken in a chat, and nothing that came before it. */
  advance(chat: string, last: string): void
  /** As it is kept: those used longest ago first. */
  entries(): (readonly [chat: string, last: string])[]
  /** Does this for each chat, in its turn, a few at a time. */
  catchUp(
    taking: Pick<Taking, 'inTurn'>,
    readMissed: (chat: string, last: string) => Promise<void>,
  ): Promise<void>
}

const mostChats = 500
const atOnce = 4

export function createProgress(
  before: readonly (readonly [string, string])[],
  isAfter: (one: string, other: string) => boolean,
  changed: () => void,
): Progress {
  const lasts = new Map<string, string>(before)
  let free = atOnce
  const waiting: (() => void)[] = []

  async function withRoom(work: () => Promise<void>): Promise<void> {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }

  return {
    advance(chat, last) {
      const known = lasts.get(chat)
      if (known !== undefined && !isAfter(last, known)) return
      lasts.delete(chat)
      lasts.set(chat, last)
      const [oldest] = lasts.keys()
      if (lasts.size > mostChats && oldest !== undefined) lasts.delete(oldest)
      changed()
    },
    entries: () => [...lasts],
    async catchUp(taking, readMissed) {
      await Promise.all(
        [...lasts.keys()].map((chat) =>
          taking.inTurn(chat, () => withRoom(() => readMissed(chat, lasts.get(chat) ?? ''))),
        ),
      )
    },
  }
}
