/**
 * Owns that each chat is worked on by itself and in order: none waits for another, whatever takes its time there, and in
 * none is anything done twice at once.
 */

export interface ChatTurnParts<Row> {
  /** Chats in which something waits, but for these; where it waits longest comes first. */
  readonly chats: (channel: string, but: readonly string[], most: number) => Promise<readonly string[]>
  /** What waits in a chat, in order: a part of it, until there is nothing. */
  readonly rows: (channel: string, chat: string) => Promise<readonly Row[]>
  readonly onProblem: (problem: unknown) => void
}

export interface ChatTurns<Row> {
  /** May be asked while it is under way. Rejects at its end where something has to be tried again. */
  work(channel: string, settle: (row: Row) => Promise<void>): Promise<void>
}

interface Turn {
  /** Something may have come since what waits was read. */
  isStale: boolean
}

const mostAtOnce = 100

export function createChatTurns<Row>({ chats, rows, onProblem }: ChatTurnParts<Row>): ChatTurns<Row> {
  const channels = new Map<string, Map<string, Turn>>()

  async function take(
    channel: string,
    chat: string,
    turn: Turn,
    settle: (row: Row) => Promise<void>,
  ): Promise<void> {
    while (turn.isStale) {
      turn.isStale = false
      for (let part = await rows(channel, chat); part.length > 0; part = await rows(channel, chat))
        for (const row of part) await settle(row)
    }
  }

  return {
    async work(channel, settle) {
      const turns = channels.get(channel) ?? new Map<string, Turn>()
      channels.set(channel, turns)
      const failed = new Set<string>()
      const own = new Set<Promise<void>>()

      function begin(chat: string): void {
        const turn: Turn = { isStale: true }
        turns.set(chat, turn)
        const work = take(channel, chat, turn, settle)
          .catch((problem: unknown) => {
            // The rest of the chat waits behind it, so that nothing overtakes; other chats do not.
            failed.add(chat)
            onProblem(problem)
          })
          .finally(() => {
            turns.delete(chat)
            own.delete(work)
          })
        own.add(work)
      }

      // Whatever this was asked for is seen by whoever works there already.
      for (const turn of turns.values()) turn.isStale = true
      for (;;) {
        const room = mostAtOnce - turns.size
        const found = room > 0 ? await chats(channel, [...turns.keys(), ...failed], room) : []
        // Somebody else may have asked at the same time.
        for (const chat of found) if (!turns.has(chat)) begin(chat)
        if (own.size === 0) break
        await Promise.race(own)
      }
      if (failed.size > 0) throw new Error(`Messages of ${failed.size} chats wait in ${channel}.`)
    },
  }
}
