/** Owns the rows of a list beside a detail, and how the keyboard moves through them. */
import { type ReactNode, useEffect, useRef } from 'react'
import { listKeys } from '../environment/keymap.ts'
import { useKeys } from '../environment/keys.tsx'
import { classes } from './classes.ts'
import { PlainLink } from './link.tsx'

/** One thing in a list: a link to its detail. */
export function Row({
  to,
  current,
  children,
  className,
}: {
  to: string
  current: boolean
  children: ReactNode
  className?: string | undefined
}) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (current) place.current?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <div ref={place} className="mb-0.5">
      <PlainLink
        to={to}
        {...(current ? { 'aria-current': 'true' as const } : {})}
        className={classes('row block px-3 py-2.5', className)}
      >
        {children}
      </PlainLink>
    </div>
  )
}

export interface ListKeysOptions {
  /** In the order of the list. */
  readonly ids: readonly string[]
  readonly current: string | null
  readonly onMove: (id: string) => void
  /** `o`. Enter opens what has the focus by itself. */
  readonly onOpen?: ((id: string) => void) | undefined
  /** `x`. */
  readonly onSelect?: ((id: string) => void) | undefined
  /** Escape. */
  readonly onBack?: (() => void) | undefined
}

/** `j`, `k`, `o`, `x` and Escape for a list. */
export function useListKeys(
  scope: string,
  { ids, current, onMove, onOpen, onSelect, onBack }: ListKeysOptions,
): void {
  const at = current === null ? -1 : ids.indexOf(current)
  const move = (step: number) => {
    const id =
      ids[at < 0 ? (step > 0 ? 0 : ids.length - 1) : Math.min(ids.length - 1, Math.max(0, at + step))]
    if (id !== undefined) onMove(id)
  }
  useKeys(scope, [
    { ...listKeys.next, repeats: true, run: () => move(1) },
    { ...listKeys.previous, repeats: true, run: () => move(-1) },
    ...(onOpen === undefined ? [] : [{ ...listKeys.open, run: () => current !== null && onOpen(current) }]),
    ...(onSelect === undefined
      ? []
      : [{ ...listKeys.select, run: () => current !== null && onSelect(current) }]),
    ...(onBack === undefined ? [] : [{ ...listKeys.back, run: onBack }]),
  ])
}
