/** Owns the palette: type a few letters, press Enter, be there. */

import { Dialog as Base } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { KeyHint, Safe } from '../../kit/index.ts'
import { ModalKeys } from '../../kit/modal-keys.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/frame.tsx'
import type { Overlay } from '../overlay.ts'
import { usePaletteEntries } from './entries.ts'
import type { PaletteEntry } from './entry.ts'

export default function Palette({
  onClose,
  onShow,
}: {
  onClose: () => void
  onShow: (overlay: Overlay) => void
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const { found: things, ask } = usePaletteEntries(query, onShow)
  const found = [...things, ...ask]
  const current = found[Math.min(at, found.length - 1)]
  const choose = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return
    onClose()
    entry.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const moved = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key]
    if (moved !== undefined) setAt(Math.max(0, Math.min(found.length - 1, at + moved)))
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) choose(current)
    else return
    event.preventDefault()
  }
  return (
    <Base.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-shade" />
        <Base.Popup
          initialFocus={input}
          className="appear fixed inset-x-0 top-0 z-50 flex max-h-[80dvh] w-full flex-col overflow-hidden border border-line bg-sheet shadow-2 outline-none sm:inset-x-auto sm:start-1/2 sm:top-[10dvh] sm:max-h-[70dvh] sm:max-w-2xl sm:-translate-x-1/2 sm:rounded-2 rtl:sm:translate-x-1/2"
        >
          <ModalKeys />
          <Base.Title className="sr-only">{words.keys.palette}</Base.Title>
          <div className="flex items-center gap-3 border-b border-line px-4">
            <Search size={16} aria-hidden className="shrink-0 text-ink-3" />
            <input
              ref={input}
              role="combobox"
              aria-expanded
              aria-controls={`${id}-list`}
              aria-autocomplete="list"
              {...(current === undefined ? {} : { 'aria-activedescendant': `${id}-${current.id}` })}
              aria-label={words.palette.label}
              placeholder={words.palette.placeholder}
              value={query}
              onChange={(event) => {
                setQuery(event.target.value)
                setAt(0)
              }}
              onKeyDown={onKeyDown}
              className="h-12 min-w-0 flex-1 bg-transparent text-large outline-none"
            />
            <KeyHint keys="escape" />
            <Base.Close className="target hidden rounded-1 px-2 text-small text-ink-2 pointer-coarse:inline">
              {common.close}
            </Base.Close>
          </div>
          <div
            id={`${id}-list`}
            role="listbox"
            aria-label={words.palette.results}
            className="min-h-0 flex-1 overflow-y-auto p-1.5"
          >
            {things.length === 0 ? (
              <p role="status" className="px-3 py-3 text-ink-2">
                {words.palette.none}
              </p>
            ) : null}
            {found.map((entry, index) => (
              <Option
                key={`${entry.group} ${entry.id}`}
                id={`${id}-${entry.id}`}
                entry={entry}
                heading={entry.group === found[index - 1]?.group ? null : words.palette.groups[entry.group]}
                isCurrent={entry === current}
                onPoint={() => setAt(index)}
                onChoose={() => choose(entry)}
              />
            ))}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

interface OptionProps {
  readonly id: string
  readonly entry: PaletteEntry
  readonly heading: string | null
  readonly isCurrent: boolean
  readonly onPoint: () => void
  readonly onChoose: () => void
}

function Option({ id, entry, heading, isCurrent, onPoint, onChoose }: OptionProps) {
  const place = useRef<HTMLDivElement>(null)
  const { icon: Icon, label, detail, keys } = entry
  useEffect(() => {
    if (isCurrent) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  return (
    <>
      {heading === null ? null : (
        <div aria-hidden className="px-2.5 pt-2 pb-1 text-small text-ink-3">
          {heading}
        </div>
      )}
      <div
        ref={place}
        id={id}
        role="option"
        aria-selected={isCurrent}
        tabIndex={-1}
        onPointerMove={onPoint}
        onClick={onChoose}
        className="flex cursor-default items-center gap-3 rounded-1 px-2.5 py-1.5 aria-selected:bg-act-soft forced-colors:aria-selected:outline-2 pointer-coarse:min-h-11"
      >
        <Icon size={16} strokeWidth={1.75} aria-hidden className="shrink-0 text-ink-2" />
        <span className="min-w-0 flex-1 truncate">
          <Safe text={label} />
        </span>
        {detail === undefined ? null : (
          <span className="shrink-0 text-small text-ink-3">
            <Safe text={detail} />
          </span>
        )}
        {keys === undefined || keys === '' ? null : <KeyHint keys={keys} />}
      </div>
    </>
  )
}
