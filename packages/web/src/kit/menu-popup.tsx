/** Draws a menu that was asked for: it is open from the start. Fetched when a menu is first pointed at. */
import { Menu as Base } from '@base-ui/react/menu'
import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { buttonClasses } from './button.tsx'
import { classes } from './classes.ts'
import { KeyHint } from './key-hint.tsx'
import type { MenuItem, MenuProps } from './menu.tsx'

export interface MenuPopupProps extends MenuProps {
  /** Then the first item has the focus from the start, and no key that follows goes elsewhere. */
  readonly isOpenedByKey: boolean
}

export default function MenuPopup(props: MenuPopupProps) {
  const { label, items, variant = 'quiet', className, side = 'bottom' } = props
  const first = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(true)
  // Where none can be chosen yet, the menu has the focus all the same.
  const firstPlace = Math.max(
    0,
    items.findIndex(({ disabled }) => disabled !== true),
  )
  return (
    <Base.Root open={open} onOpenChange={setOpen}>
      <Base.Trigger className={classes(buttonClasses(variant), className)}>
        {label}
        <ChevronDown size={14} aria-hidden />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={4} align="end" className="z-50">
          <Base.Popup
            onKeyDownCapture={(event) => {
              const item = itemOf(event, items)
              // A key that is held down opens a menu and must not choose from it.
              if (item === undefined && !isHeldChoice(event)) return
              event.preventDefault()
              event.stopPropagation()
              if (item === undefined) return
              setOpen(false)
              item.run()
            }}
            className="appear max-h-[70dvh] max-w-[min(24rem,calc(100vw-2rem))] overflow-y-auto rounded-2 border border-line bg-sheet p-1 shadow-2 outline-none"
          >
            {items.map((item, place) => (
              <Base.Item
                key={item.label}
                ref={place === firstPlace ? first : undefined}
                disabled={item.disabled ?? false}
                onClick={item.run}
                className="target flex cursor-default items-center gap-3 rounded-1 px-2.5 py-1.5 -outline-offset-2 data-[disabled]:opacity-50 data-[highlighted]:bg-act-soft"
              >
                {item.icon === undefined ? null : (
                  <item.icon size={16} strokeWidth={1.75} aria-hidden className="shrink-0 text-ink-2" />
                )}
                <span className="min-w-0 flex-1">
                  <span className="block">{item.label}</span>
                  {item.detail === undefined ? null : (
                    <span className="block text-small text-ink-2">{item.detail}</span>
                  )}
                </span>
                {item.keys === undefined ? null : <KeyHint keys={item.keys} />}
              </Base.Item>
            ))}
            <FirstFocus item={first} chooses={props.isOpenedByKey} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** The item whose key this is: what a menu shows beside its words works while it is open. */
function itemOf(event: KeyboardEvent, items: readonly MenuItem[]): MenuItem | undefined {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return undefined
  return items.find(({ keys, disabled }) => disabled !== true && keys === event.key.toLowerCase())
}

function isHeldChoice(event: KeyboardEvent): boolean {
  return event.repeat && (event.key === 'Enter' || event.key === ' ')
}

/**
 * Gives the menu the focus in the moment in which it is drawn, and the item too where a key opened it. The library does
 * so a frame later, when the next key may have come already; it leaves a focus alone that it finds inside.
 */
function FirstFocus({
  item,
  chooses,
}: {
  readonly item: RefObject<HTMLElement | null>
  readonly chooses: boolean
}) {
  useLayoutEffect(() => {
    item.current?.parentElement?.focus({ preventScroll: true })
    // By then the items are counted, so that the next arrow goes on from this one.
    if (chooses) queueMicrotask(() => item.current?.focus())
  }, [item, chooses])
  return null
}
