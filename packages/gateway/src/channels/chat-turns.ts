/**
 * Owns that each chat is worked on by itself and in order: none waits for another, whatever takes its time there, and in
 * none is anything done twice at once.
 */

export interface Look<Work> {
  /** One for each chat at the most. */
  readonly work: readonly Work[]
  /** When something comes that nobody tells of. */
  readonly next: Date | null
}

export interface ChatTurnParts<Work> {
  /** What can be begun now, but for the chats that are at work. */
  readonly look: (busy: ReadonlySet<string>) => Promise<Look<Work>>
  readonly settle: (work: Work) => Promise<void>
  /** Told after each look at which something comes later. */
  readonly later?: ((at: Date) => void) | undefined
}

export interface ChatTurns<Work> {
  /**
   * Begins what can be begun, and what comes after it in the same chats, and resolves when all that is done. Rejects then
   * where something failed. May be asked while it is under way.
   */
  work(channel: string, parts: ChatTurnParts<Work>): Promise<Date | null>
}

interface Channel {
  readonly busy: Set<string>
  /** One look after the other, so that nothing is begun twice. */
  looked: Promise<unknown>
  /** Whoever asks before its first look has begun is answered by it. */
  waiting: Promise<Date | null> | undefined
}

export function createChatTurns<Work extends { readonly chat: string }>(): ChatTurns<Work> {
  const channels = new Map<string, Channel>()

  async function take(channel: Channel, { look, settle, later }: ChatTurnParts<Work>): Promise<Date | null> {
    const { busy } = channel
    const own = new Set<Promise<void>>()
    const failures: unknown[] = []
    /** Something was done since the last look began. */
    let isDone = false

    function begin(work: Work): void {
      busy.add(work.chat)
      const settled = settle(work)
        .catch((problem: unknown) => void failures.push(problem))
        .finally(() => {
          busy.delete(work.chat)
          own.delete(settled)
          isDone = true
        })
      own.add(settled)
    }

    async function lookAgain(): Promise<Look<Work>> {
      channel.waiting = undefined
      isDone = false
      // As it is before the look: what is done meanwhile is looked at next time.
      const found = await look(new Set(busy))
      for (const work of found.work) begin(work)
      if (found.next) later?.(found.next)
      return found
    }

    for (;;) {
      const looked = channel.looked.then(lookAgain)
      channel.looked = looked.catch(() => undefined)
      const found = await looked.catch((problem: unknown) => void failures.push(problem))
      if (!found || failures.length > 0) {
        await Promise.all(own)
        throw failures[0]
      }
      if (isDone) continue
      if (own.size === 0) return found.next
      await Promise.race(own)
    }
  }

  return {
    work(name, parts) {
      const channel = channels.get(name) ?? { busy: new Set(), looked: Promise.resolve(), waiting: undefined }
      channels.set(name, channel)
      channel.waiting ??= take(channel, parts)
      return channel.waiting
    },
  }
}
