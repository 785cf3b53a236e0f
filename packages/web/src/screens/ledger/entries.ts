/** Owns the entries on the screen: pages of older ones as they are asked for, and newer ones as they are written. */
import { type LedgerEntryView, type LedgerFacet, type LedgerPage, languageOf } from '@countersign/contract'
import { createLedgerFollowing } from '@countersign/contract/client'
import { skipToken, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { useClient, useServices } from '../../environment/services.tsx'
import { locale } from '../../language/current.ts'
import { type Pages, withFresh, withNewer } from './newer-entries.ts'
import { oneLinePerAct } from './shown-entries.ts'

export interface LedgerEntries {
  readonly entries: readonly LedgerEntryView[]
  readonly facets: readonly LedgerFacet[]
  /** Of the whole ledger, and how many of its entries were looked at. */
  readonly size: number
  readonly looked: number
  readonly isLoading: boolean
  readonly error: Error | null
  readonly at: string | null
  readonly hasOlder: boolean
  readonly isLoadingOlder: boolean
  readonly older: () => void
  /** Written since, and not shown yet. */
  readonly waiting: number
  readonly showNewer: () => void
  readonly retry: () => void
}

const perPage = 200

const newerKey = (q: string) => ['ledger', 'newer', q]

export function useLedgerEntries(q: string, following: boolean): LedgerEntries {
  const client = useClient()
  const queries = useQueryClient()
  const key = ['ledger', 'entries', q]
  const pages = useInfiniteQuery({
    queryKey: key,
    initialPageParam: null as number | null,
    queryFn: ({ pageParam }) =>
      client.ledger({
        q,
        limit: perPage,
        facets: pageParam === null,
        ...(pageParam === null ? {} : { before: pageParam }),
      }),
    getNextPageParam: (page) => page.next,
    // Entries never change: what was read once stays read. Newer ones are put before them below.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  const first = pages.data?.pages[0]
  const newest = first?.size ?? 0
  // What came since waits beside them until it is wanted.
  const { data: found } = useQuery<LedgerPage | null>({
    queryKey: newerKey(q),
    queryFn: skipToken,
    initialData: null,
  })
  const { live } = useServices()
  const isThere = first !== undefined
  useEffect(() => {
    if (!isThere) return
    queries.setQueryData<LedgerPage | null>(newerKey(q), null)
    const after = queries.getQueryData<Pages>(['ledger', 'entries', q])?.pages[0]?.size ?? 0
    live.followLedger(
      createLedgerFollowing({
        id: crypto.randomUUID(),
        after,
        q,
        language: languageOf(locale()),
        onEntries: (fresh, size) =>
          queries.setQueryData<LedgerPage | null>(newerKey(q), (before) =>
            withFresh(before ?? null, fresh, size),
          ),
      }),
    )
    return () => live.followLedger(null)
  }, [isThere, q, live, queries])
  const showNewer = useCallback(() => {
    if (!found) return
    queries.setQueryData<Pages>(['ledger', 'entries', q], (data) => withNewer(data, found))
    queries.setQueryData<LedgerPage | null>(newerKey(q), null)
  }, [queries, q, found])
  useEffect(() => {
    if (following) showNewer()
  }, [following, showNewer])

  const entries = useMemo(
    () => oneLinePerAct(pages.data?.pages.flatMap((page) => page.entries) ?? []),
    [pages.data],
  )
  return {
    entries,
    facets: first?.facets ?? [],
    size: Math.max(newest, found?.size ?? 0),
    looked: pages.data?.pages.reduce((sum, page) => sum + page.looked, 0) ?? 0,
    isLoading: pages.isPending,
    error: pages.error,
    at: pages.dataUpdatedAt === 0 ? null : new Date(pages.dataUpdatedAt).toISOString(),
    hasOlder: pages.hasNextPage,
    isLoadingOlder: pages.isFetchingNextPage,
    older: () => {
      if (pages.hasNextPage && !pages.isFetchingNextPage) void pages.fetchNextPage()
    },
    waiting: found?.entries.length ?? 0,
    showNewer,
    retry: () => void pages.refetch(),
  }
}
