/** Owns the surface that content lies on, and the titled sections that a detail is read in. */
import type { ReactNode } from 'react'
import { classes } from './classes.ts'

export function Sheet({
  children,
  className,
  padded = true,
}: {
  children: ReactNode
  className?: string | undefined
  padded?: boolean
}) {
  return (
    <div
      className={classes(
        'overflow-hidden rounded-2 border border-line bg-sheet',
        padded && 'px-4 py-3',
        className,
      )}
    >
      {children}
    </div>
  )
}

/** A heading with what belongs to it. Level 2 stands directly under the title of a page, 3 within a detail. */
export function Section({
  title,
  aside,
  level = 3,
  children,
  className,
}: {
  title: string
  aside?: ReactNode
  level?: 2 | 3
  children: ReactNode
  className?: string | undefined
}) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <section className={classes('mt-5', className)}>
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <Heading className="text-small font-[600] tracking-normal text-ink-2">{title}</Heading>
        {aside === undefined ? null : <div className="text-small text-ink-3">{aside}</div>}
      </div>
      {children}
    </section>
  )
}

/** Names and values. A value that is null is left out. */
export function Facts({
  rows,
  className,
}: {
  rows: readonly (readonly [name: string, value: ReactNode])[]
  className?: string | undefined
}) {
  return (
    <dl
      className={classes(
        'grid grid-cols-1 gap-x-4 gap-y-0.5 sm:grid-cols-[minmax(6rem,auto)_1fr] sm:gap-y-1.5',
        className,
      )}
    >
      {rows
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-3 max-sm:mt-1.5 max-sm:text-small">{name}</dt>
            <dd className="min-w-0">{value}</dd>
          </div>
        ))}
    </dl>
  )
}
