/** Owns the two shapes of a screen: one column, or a list beside the detail of one of its things. One h1 each. */
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from '../environment/location.tsx'
import { classes } from './classes.ts'
import { PlainLink } from './link.tsx'
import { useIsNarrow } from './narrow.ts'

export interface PageProps {
  readonly title: string
  /** A few words beside the title, such as a count. */
  readonly note?: ReactNode
  /** Buttons at the end of the heading. */
  readonly actions?: ReactNode
  readonly children: ReactNode
  readonly width?: 'reading' | 'wide' | 'full'
}

const widths = { reading: 'max-w-3xl', wide: 'max-w-6xl', full: 'max-w-none' } as const

export function Page({ title, note, actions, children, width = 'wide' }: PageProps) {
  useDocumentTitle(title)
  return (
    <div className="h-full md:overflow-y-auto">
      <div className={classes('px-4 pt-4 pb-12 md:px-8 md:pt-6', widths[width])}>
        <div className="mb-4 flex flex-wrap items-baseline gap-x-3 gap-y-2">
          <h1 tabIndex={-1}>{title}</h1>
          {note === undefined ? null : <div className="text-small text-ink-2">{note}</div>}
          {actions === undefined ? null : <div className="ms-auto flex flex-wrap gap-2">{actions}</div>}
        </div>
        {children}
      </div>
    </div>
  )
}

export interface ListDetailProps {
  readonly title: string
  readonly note?: ReactNode
  /** Filters and the like, under the title. */
  readonly tools?: ReactNode
  readonly list: ReactNode
  /** Null where nothing is chosen. On a phone it takes the place of the list. */
  readonly detail: ReactNode
  /** Where nothing is chosen, on a wide screen. */
  readonly placeholder?: ReactNode
  /** The path of the list, to go back to on a phone. */
  readonly backTo: string
  /** Fixed at the bottom of the detail: the place of decisions. */
  readonly footer?: ReactNode
  /** For the title of the window. */
  readonly detailTitle?: string | undefined
  /** False where the list scrolls by itself, as a VirtualList does. */
  readonly scrolls?: boolean
  /** True where there is nothing to choose: then no half of the page is kept for it. */
  readonly alone?: boolean
}

export function ListDetail({
  title,
  note,
  tools,
  list,
  detail,
  placeholder,
  backTo,
  footer,
  detailTitle,
  scrolls = true,
  alone = false,
}: ListDetailProps) {
  const narrow = useIsNarrow()
  const isOpen = detail !== null && detail !== undefined
  const scroller = useRef<HTMLDivElement>(null)
  const { pathname } = useLocation()
  // Another thing begins at its top.
  useEffect(() => {
    if (pathname !== '') scroller.current?.scrollTo({ top: 0 })
  }, [pathname])
  useDocumentTitle(detailTitle === undefined ? title : `${detailTitle} · ${title}`)
  const heading = (
    <div className="px-4 pt-4 pb-2 md:px-5">
      <div className="flex items-baseline gap-2">
        <h1 tabIndex={-1}>{title}</h1>
        {note === undefined ? null : <div className="text-small text-ink-2">{note}</div>}
      </div>
      {tools === undefined ? null : <div className="mt-2">{tools}</div>}
    </div>
  )
  if (narrow)
    return isOpen ? (
      <div>
        <h1 className="sr-only">{title}</h1>
        <PlainLink
          to={backTo}
          className="target m-2 inline-flex items-center gap-1.5 rounded-1 px-2 py-1.5 text-small font-medium text-ink-2"
        >
          <ArrowLeft size={16} aria-hidden className="rtl:rotate-180" />
          {title}
        </PlainLink>
        <div className="px-4 pb-6">{detail}</div>
        {footer === undefined ? null : <DecisionBar>{footer}</DecisionBar>}
      </div>
    ) : (
      <div className="pb-8">
        {heading}
        <div className="px-2">{list}</div>
        {footer === undefined ? null : <DecisionBar>{footer}</DecisionBar>}
      </div>
    )
  return (
    <div
      className={classes(
        'grid h-full',
        alone ? 'grid-cols-[minmax(0,44rem)]' : 'grid-cols-[minmax(17rem,22rem)_minmax(0,1fr)]',
      )}
    >
      <div
        className={classes(
          'flex min-h-0 flex-col',
          (isOpen || placeholder !== undefined) && !alone && 'border-e border-line',
        )}
      >
        {heading}
        <div
          className={classes('min-h-0 flex-1', scrolls ? 'overflow-y-auto px-3 pt-px pb-4' : 'flex flex-col')}
        >
          {list}
        </div>
      </div>
      {alone ? null : (
        <div className="flex min-h-0 flex-col">
          <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto">
            <div className="max-w-[56rem] px-6 pt-6 pb-12 lg:px-8">{isOpen ? detail : placeholder}</div>
          </div>
          {footer === undefined ? null : <DecisionBar>{footer}</DecisionBar>}
        </div>
      )}
    </div>
  )
}

/** Fixed at the bottom: Deny first in reading order, Approve last. */
export function DecisionBar({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-0 z-10 flex flex-wrap items-center gap-2 border-t border-line bg-paper px-4 py-3 md:px-6 lg:px-8 max-md:bottom-(--thumb-bar)">
      {children}
    </div>
  )
}

export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Countersign`
  }, [title])
}
