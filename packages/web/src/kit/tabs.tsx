/** Owns tabs: several views of one thing, one at a time. */
import { Tabs as Base } from '@base-ui/react/tabs'
import { type ReactNode, useEffect, useRef } from 'react'

export interface Tab {
  readonly id: string
  readonly label: string
  readonly count?: number | undefined
  readonly content: () => ReactNode
}

export interface TabsProps {
  readonly tabs: readonly Tab[]
  readonly current: string
  readonly onChange: (id: string) => void
  readonly label: string
}

export function Tabs({ tabs, current, onChange, label }: TabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const counts = tabs.map(({ count }) => count).join()
  // On a narrow screen the list scrolls, and the tab that is open must be in sight.
  useEffect(() => {
    const element = list.current
    if (element === null) return
    const show = () =>
      element
        .querySelector(`[data-tab="${current}"]`)
        ?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
    show()
    // A count that comes later and a screen that is turned move what is behind them.
    const observer = new ResizeObserver(show)
    observer.observe(element)
    return () => observer.disconnect()
  }, [current, counts])
  return (
    <Base.Root value={current} onValueChange={(id) => onChange(String(id))}>
      <Base.List ref={list} aria-label={label} className="flex gap-4 overflow-x-auto border-b border-line">
        {tabs.map(({ id, label: name, count }) => (
          <Base.Tab
            key={id}
            value={id}
            data-tab={id}
            className="target -mb-px inline-flex shrink-0 items-center border-b-2 border-transparent py-1.5 text-ink-2 hover:text-ink data-[active]:border-act data-[active]:font-medium data-[active]:text-ink"
          >
            <span
              data-name={name}
              // As wide as it is when it is open, so that opening one moves no other.
              className="inline-block after:invisible after:block after:h-0 after:overflow-hidden after:font-medium after:content-[attr(data-name)]"
            >
              {name}
            </span>
            {count === undefined ? null : <span className="ms-1.5 text-small text-ink-3">{count}</span>}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ id, content }) => (
        <Base.Panel key={id} value={id} className="pt-4">
          {id === current ? content() : null}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
