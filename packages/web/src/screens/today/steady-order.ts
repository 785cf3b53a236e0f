/**
 * Owns that a list stands still while somebody points at it: what is new goes to the end, what is gone leaves its place
 * empty, and everything else stays where it was. When nobody points, it is in its own order again.
 */
import { useRef, useState } from 'react'

export interface SteadyRow<T> {
  readonly key: string
  readonly value: T
  /** It was there and is not any more; the place is kept. */
  readonly gone: boolean
}

/** The pointer and the focus, as handlers of whatever holds the list. */
export interface Attention {
  readonly onPointerEnter: () => void
  readonly onPointerLeave: () => void
}

export function steadyRows<T>(
  before: readonly SteadyRow<T>[],
  now: readonly T[],
  keyOf: (value: T) => string,
  held: boolean,
): readonly SteadyRow<T>[] {
  const fresh = now.map((value): SteadyRow<T> => ({ key: keyOf(value), value, gone: false }))
  if (!held) return fresh
  const byKey = new Map(fresh.map((each) => [each.key, each]))
  const known = new Set(before.map(({ key }) => key))
  return [
    ...before.map((each) => byKey.get(each.key) ?? { ...each, gone: true }),
    ...fresh.filter(({ key }) => !known.has(key)),
  ]
}

export function useSteady<T>(
  now: readonly T[],
  keyOf: (value: T) => string,
): { readonly rows: readonly SteadyRow<T>[]; readonly attention: Attention } {
  const [held, setHeld] = useState(false)
  const before = useRef<readonly SteadyRow<T>[]>([])
  const rows = steadyRows(before.current, now, keyOf, held)
  before.current = rows
  return {
    rows,
    attention: { onPointerEnter: () => setHeld(true), onPointerLeave: () => setHeld(false) },
  }
}
