/** Owns the entries on the screen: pages of older ones as they are asked for, and newer ones as they are written. */
import type { LedgerEntryView, LedgerFacet, LedgerPage } from '@countersign/contract'
import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { useClient, useLive } from '../../environment/services.tsx'
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
const everyMs = { following: 2_000, else: 10_000 } as const

type Pages = InfiniteData<LedgerPage, number | null>

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
  const seq = useLive(seqOf)
  const newer = useQuery({
    queryKey: ['ledger', 'newer', q, newest],
    queryFn: () => client.ledger({ q, after: newest, limit: 500 }),
    enabled: first !== undefined,
    refetchInterval: following ? everyMs.following : everyMs.else,
    retry: false,
  })
  const { refetch } = newer
  useEffect(() => {
    if (following && seq > 0) void refetch()
  }, [following, seq, refetch])

  const found = newer.data
  const showNewer = useCallback(() => {
    if (found === undefined || found.size === newest) return
    queries.setQueryData<Pages>(['ledger', 'entries', q], (data) => withNewer(data, found))
  }, [queries, q, found, newest])
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
    error: pages.error ?? newer.error,
    at: pages.dataUpdatedAt === 0 ? null : new Date(pages.dataUpdatedAt).toISOString(),
    hasOlder: pages.hasNextPage,
    isLoadingOlder: pages.isFetchingNextPage,
    older: () => {
      if (pages.hasNextPage && !pages.isFetchingNextPage) void pages.fetchNextPage()
    },
    waiting: found?.entries.length ?? 0,
    showNewer,
    retry: () => void (first === undefined ? pages.refetch() : newer.refetch()),
  }
}

/** More than a page of news begins the list anew, so that it has no hole. */
function withNewer(data: Pages | undefined, found: LedgerPage): Pages | undefined {
  const [first, ...rest] = data?.pages ?? []
  if (!data || !first) return data
  if (found.next !== null) return { pages: [found], pageParams: [null] }
  const page = {
    ...first,
    entries: [...found.entries, ...first.entries],
    size: found.size,
    looked: first.looked + found.looked,
  }
  return { ...data, pages: [page, ...rest] }
}

const seqOf = ({ state }: { state: { seq: number } }): number => state.seq
