/** Owns when this browser last looked at Today, and what it put aside. Kept here only; the gateway forgets nothing by it. */
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Keep } from '../../environment/preferences.ts'
import { useServices } from '../../environment/services.tsx'

export interface Looks {
  /** Null where it never did. */
  readonly looked: string | null
  readonly archived: readonly string[]
}

const none: Looks = { looked: null, archived: [] }
const mostArchived = 500

export function readLooks(keep: Keep, gateway: string): Looks {
  try {
    const kept: unknown = JSON.parse(keep.getItem(keyOf(gateway)) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return none
    const { looked, archived } = kept as Record<string, unknown>
    return {
      looked: typeof looked === 'string' && !Number.isNaN(Date.parse(looked)) ? looked : null,
      archived: Array.isArray(archived) ? archived.filter((key) => typeof key === 'string') : [],
    }
  } catch {
    return none
  }
}

export function writeLooks(keep: Keep, gateway: string, looks: Looks): void {
  const archived = looks.archived.slice(-mostArchived)
  keep.setItem(keyOf(gateway), JSON.stringify({ looked: looks.looked, archived }))
}

/** The last look stays the same for as long as this one lasts; leaving is what makes it the last. */
export function useLooks(): {
  readonly looked: string | null
  readonly archived: ReadonlySet<string>
  readonly archive: (key: string) => void
  readonly restore: (key: string) => void
} {
  const { thisDevice, now } = useServices()
  const { gateway } = thisDevice
  const [looks, setLooks] = useState(() => readLooks(window.localStorage, gateway))
  useEffect(() => {
    const leave = () => {
      const { archived } = readLooks(window.localStorage, gateway)
      writeLooks(window.localStorage, gateway, { looked: now().toISOString(), archived })
    }
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [gateway, now])
  const change = useCallback(
    (edit: (archived: readonly string[]) => readonly string[]) =>
      setLooks((before) => {
        const next = { ...before, archived: edit(before.archived) }
        writeLooks(window.localStorage, gateway, next)
        return next
      }),
    [gateway],
  )
  return {
    looked: looks.looked,
    archived: useMemo(() => new Set(looks.archived), [looks.archived]),
    archive: useCallback((key) => change((all) => [...all.filter((each) => each !== key), key]), [change]),
    restore: useCallback((key) => change((all) => all.filter((each) => each !== key)), [change]),
  }
}

const keyOf = (gateway: string) => `countersign.today.${gateway}`
