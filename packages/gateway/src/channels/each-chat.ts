/** Owns working on many chats at once: one thing at a time in each, however long another chat takes. */

/** What is told to somebody who is at work. */
export interface News {
  /** What was told until now is in what is looked at next. */
  seen(): void
  /** Resolves when something was told since. */
  told(): Promise<unknown>
}

/** For work that nobody tells anything meanwhile. */
export const noNews: News = { seen: () => undefined, told: () => new Promise(() => undefined) }

export interface Look<Work> {
  readonly work: readonly Work[]
  /** When to look again by itself. */
  readonly next: Date | null
}

/**
 * Looks for what can be begun while these chats are at work, and looks again when one of them is done, there is news, or
 * it is time. Ends when nothing is there and nothing is under way, and says when to begin again; what failed ends it as
 * soon as the others are done.
 */
export async function inEachChat<Work extends { readonly chat: string }>(parts: {
  readonly look: (busy: ReadonlySet<string>) => Promise<Look<Work>>
  readonly settle: (work: Work) => Promise<void>
  readonly news: News
}): Promise<Date | null> {
  const busy = new Map<string, Promise<void>>()
  const failures: unknown[] = []
  let next: Date | null = null
  while (failures.length === 0) {
    parts.news.seen()
    // As it is before the look: what is done meanwhile is looked at next time.
    const found = await parts.look(new Set(busy.keys()))
    next = found.next
    for (const work of found.work) {
      const settled = parts
        .settle(work)
        .catch((problem: unknown) => void failures.push(problem))
        .finally(() => busy.delete(work.chat))
      busy.set(work.chat, settled)
    }
    if (busy.size === 0) break
    const over = new AbortController()
    await Promise.race([...busy.values(), parts.news.told(), comes(next, over.signal)])
    over.abort()
  }
  await Promise.all(busy.values())
  if (failures.length > 0) throw failures[0]
  return next
}

function comes(at: Date | null, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (at === null) return
    const timer = setTimeout(resolve, Math.max(at.getTime() - Date.now(), 0))
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })
}
