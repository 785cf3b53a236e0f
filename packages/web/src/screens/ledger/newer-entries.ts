/** Owns entries that came while others are shown: gathered as they come, and put before those. Pure. */
import type { LedgerEntryView, LedgerPage } from '@countersign/contract'
import type { InfiniteData } from '@tanstack/react-query'

export type Pages = InfiniteData<LedgerPage, number | null>

/** More are not kept aside: a list that begins anew with these has them. */
export const mostNewer = 500

/** `fresh` are the oldest first, as they come. */
export function withFresh(
  before: LedgerPage | null,
  fresh: readonly LedgerEntryView[],
  size: number,
): LedgerPage {
  const all = [...fresh.toReversed(), ...(before?.entries ?? [])]
  const entries = all.slice(0, mostNewer)
  const next = all.length > mostNewer ? (entries.at(-1)?.seq ?? null) : (before?.next ?? null)
  return { entries, next, size, looked: (before?.looked ?? 0) + fresh.length }
}

/** More than a page of news begins the list anew, so that it has no hole. What is shown already is not shown twice. */
export function withNewer(data: Pages | undefined, found: LedgerPage): Pages | undefined {
  const [first, ...rest] = data?.pages ?? []
  if (!data || !first) return data
  if (found.next !== null) return { pages: [found], pageParams: [null] }
  const fresh = found.entries.filter(({ seq }) => seq > first.size)
  const page = {
    ...first,
    entries: [...fresh, ...first.entries],
    size: Math.max(first.size, found.size),
    looked: first.looked + found.looked,
  }
  return { ...data, pages: [page, ...rest] }
}
