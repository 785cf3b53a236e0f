/** Owns when this browser last looked at Today, and what it put aside. Kept here only; the gateway forgets nothing by it. */
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { TextStore } from '../../environment/preferences.ts'
import { useServices } from '../../environment/services.tsx'

export interface LastVisit {
  /** Null where it never did. */
  readonly lastVisitAt: string | null
  readonly archived: readonly string[]
}

const none: LastVisit = { lastVisitAt: null, archived: [] }
const mostArchived = 500

export function readLastVisit(store: TextStore, gateway: string): LastVisit {
  try {
    const kept: unknown = JSON.parse(store.getItem(keyOf(gateway)) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return none
    const { lastVisitAt, archived } = kept as Record<string, unknown>
    return {
      lastVisitAt:
        typeof lastVisitAt === 'string' && !Number.isNaN(Date.parse(lastVisitAt)) ? lastVisitAt : null,
      archived: Array.isArray(archived) ? archived.filter((key) => typeof key === 'string') : [],
    }
  } catch {
    return none
  }
}

export function writeLastVisit(store: TextStore, gateway: string, lastVisit: LastVisit): void {
  const archived = lastVisit.archived.slice(-mostArchived)
  store.setItem(keyOf(gateway), JSON.stringify({ lastVisitAt: lastVisit.lastVisitAt, archived }))
}

/** The last look stays the same for as long as this one lasts; leaving is what makes it the last. */
export function useLastVisit(): {
  readonly lastVisitAt: string | null
  readonly archived: ReadonlySet<string>
  readonly archive: (key: string) => void
  readonly restore: (key: string) => void
} {
  const { thisDevice, now } = useServices()
  const { gateway } = thisDevice
  const [lastVisit, setLastVisit] = useState(() => readLastVisit(window.localStorage, gateway))
  useEffect(() => {
    const leave = () => {
      const { archived } = readLastVisit(window.localStorage, gateway)
      writeLastVisit(window.localStorage, gateway, { lastVisitAt: now().toISOString(), archived })
    }
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [gateway, now])
  const change = useCallback(
    (edit: (archived: readonly string[]) => readonly string[]) =>
      setLastVisit((before) => {
        const next = { ...before, archived: edit(before.archived) }
        writeLastVisit(window.localStorage, gateway, next)
        return next
      }),
    [gateway],
  )
  return {
    lastVisitAt: lastVisit.lastVisitAt,
    archived: useMemo(() => new Set(lastVisit.archived), [lastVisit.archived]),
    archive: useCallback((key) => change((all) => [...all.filter((each) => each !== key), key]), [change]),
    restore: useCallback((key) => change((all) => all.filter((each) => each !== key)), [change]),
  }
}

const keyOf = (gateway: string) => `countersign.today.${gateway}`
