/** A text of rules with its line numbers, what is wrong marked at its line, and what could come next. */

import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { classes } from '../../kit/index.ts'
import { words } from '../../words/policy.tsx'
import { type Completion, type CompletionSources, completionsAt } from './completion.ts'

export interface RuleEditorProps {
  readonly label: string
  readonly text: string
  readonly problemLines: ReadonlySet<number>
  readonly sources: CompletionSources
  readonly onChange: (text: string) => void
}

/** The element in which a line is shown to whoever follows a problem to it. */
export function goToLine(area: HTMLTextAreaElement | null, line: number): void {
  if (area === null) return
  const lines = area.value.split('\n')
  const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0)
  area.focus()
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
}

export function RuleEditor({ label, text, problemLines, sources, onChange }: RuleEditorProps) {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [offer, setOffer] = useState<{ typed: number; items: readonly Completion[] }>(nothing)
  const [at, setAt] = useState(0)
  const look = (force: boolean) => {
    const cursor = area.current
    if (cursor === null) return
    const found = completionsAt(cursor.value.slice(0, cursor.selectionStart), sources)
    setOffer(
      force || found.typed > 0 || /[."]$/.test(cursor.value.slice(0, cursor.selectionStart))
        ? found
        : nothing,
    )
    setAt(0)
  }
  const take = (item: Completion) => {
    const cursor = area.current
    if (cursor === null) return
    const end = cursor.selectionStart
    const next = `${text.slice(0, end - offer.typed)}${item.text}${text.slice(end)}`
    const place = end - offer.typed + item.text.length
    onChange(next)
    setOffer(nothing)
    requestAnimationFrame(() => {
      cursor.focus()
      cursor.setSelectionRange(place, place)
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault()
      return look(true)
    }
    if (offer.items.length === 0) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((at + step + offer.items.length) % offer.items.length)
    else if (event.key === 'Enter' || event.key === 'Tab')
      take(offer.items[at] ?? (offer.items[0] as Completion))
    else if (event.key === 'Escape') setOffer(nothing)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const lines = text.split('\n').length
  return (
    <div>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <div className="flex overflow-hidden rounded-2 border border-edge bg-sheet font-mono text-small leading-[1.6]">
        <Gutter lines={lines} problemLines={problemLines} />
        <textarea
          id={id}
          ref={area}
          data-rules
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          wrap="off"
          rows={Math.min(Math.max(lines + 1, 14), 40)}
          value={text}
          aria-invalid={problemLines.size > 0 || undefined}
          aria-describedby={`${id}-hint`}
          aria-controls={offer.items.length > 0 ? `${id}-offer` : undefined}
          className="min-w-0 flex-1 resize-none overflow-x-auto bg-transparent px-3 py-2 whitespace-pre outline-offset-[-2px] pointer-coarse:text-[16px]"
          onChange={(event) => {
            onChange(event.target.value)
            requestAnimationFrame(() => look(false))
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setOffer(nothing)}
        />
      </div>
      {offer.items.length > 0 ? (
        <div
          id={`${id}-offer`}
          role="listbox"
          aria-label={words.edit.completion}
          className="mt-1 flex flex-wrap gap-1"
        >
          {offer.items.map((item, index) => (
            <div key={item.label} role="option" aria-selected={index === at} tabIndex={-1}>
              <button
                type="button"
                tabIndex={-1}
                className={classes(
                  'target rounded-1 border px-2 py-1 font-mono text-small',
                  index === at ? 'border-act bg-act-soft' : 'border-line-strong bg-sheet',
                )}
                onMouseDown={(event) => {
                  event.preventDefault()
                  take(item)
                }}
              >
                {item.label}
              </button>
            </div>
          ))}
        </div>
      ) : null}
      <p id={`${id}-hint`} className="mt-1 text-small text-ink-3">
        {words.edit.hint}
      </p>
    </div>
  )
}

const nothing = { typed: 0, items: [] }

function Gutter({ lines, problemLines }: { lines: number; problemLines: ReadonlySet<number> }) {
  return (
    <ol aria-hidden className="border-e border-line bg-well py-2 text-end text-ink-3 select-none">
      {Array.from({ length: lines }, (_, index) => (
        <li
          // Lines have no other name than their number.
          key={index}
          className={classes('px-2', problemLines.has(index + 1) && 'bg-del font-semibold text-bad')}
        >
          {index + 1}
        </li>
      ))}
    </ol>
  )
}
