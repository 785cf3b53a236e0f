/** Owns what is wrong with every question at once: a database that is silent, a full disk, a clock. Asks again until it is over. */
import { CountersignError } from '@countersign/contract'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'

const shared: readonly string[] = ['database_unavailable', 'ledger_unwritable', 'clock_wrong']
const againMs = 3_000

/** Hears of such a failure at its first try, and of null when anything was read after it. Returns how to end. */
export function watchTrouble(queries: QueryClient, hear: (trouble: CountersignError | null) => void) {
  const failed = (error: unknown) => {
    if (error instanceof CountersignError && shared.includes(error.code)) hear(error)
  }
  const ends = [
    queries.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated') return
      const { action } = event
      if (action.type === 'failed' || action.type === 'error') failed(action.error)
      if (action.type === 'success' && action.manual !== true) hear(null)
    }),
    queries.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') failed(event.action.error)
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}

export function useTrouble(): CountersignError | null {
  const queries = useQueryClient()
  const [trouble, setTrouble] = useState<CountersignError | null>(null)
  useEffect(() => watchTrouble(queries, setTrouble), [queries])
  const isTrouble = trouble !== null
  useEffect(() => {
    if (!isTrouble) return
    const timer = setInterval(() => void queries.invalidateQueries({ queryKey: ['status'] }), againMs)
    return () => {
      clearInterval(timer)
      // It is over: what failed meanwhile is asked for anew.
      void queries.invalidateQueries({ predicate: ({ state }) => state.error !== null })
    }
  }, [isTrouble, queries])
  return trouble
}

/** False where the browser knows of no network. A gateway on the same machine answers all the same. */
export function useNetwork(): boolean {
  return useSyncExternalStore(subscribeToNetwork, () => navigator.onLine)
}

function subscribeToNetwork(hear: () => void): () => void {
  window.addEventListener('online', hear)
  window.addEventListener('offline', hear)
  return () => {
    window.removeEventListener('online', hear)
    window.removeEventListener('offline', hear)
  }
}
