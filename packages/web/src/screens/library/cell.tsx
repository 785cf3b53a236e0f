/** One cell of a table: it shows its value, and becomes a control of its type when it is pressed. */
import type { TableColumn } from '@countersign/contract'
import { type KeyboardEvent, useState } from 'react'
import { Safe } from '../../kit/index.ts'
import { words } from '../../words/library.tsx'
import { localInput } from './values.ts'

export function Cell({
  column,
  value,
  onSave,
}: {
  column: TableColumn
  value: unknown
  onSave: (value: unknown) => void
}) {
  const [text, setText] = useState<string | null>(null)
  const label = words.tables.cell(column.name)
  if (column.type === 'boolean')
    return (
      <td className="border-e border-line px-3">
        <input
          type="checkbox"
          aria-label={label}
          className="size-4 accent-act"
          checked={value === true}
          onChange={(event) => onSave(event.target.checked)}
        />
      </td>
    )
  const end = (save: boolean) => {
    if (save && text !== null && text !== shown(column, value)) onSave(typedValue(column, text))
    setText(null)
  }
  if (text === null)
    return (
      <td className="border-e border-line p-0">
        <button
          type="button"
          aria-label={`${label}: ${shown(column, value)}`}
          className="target block min-h-9 w-full px-3 py-1.5 text-start hover:bg-ink/5"
          onClick={() => setText(shown(column, value))}
        >
          <Safe text={shown(column, value)} />
        </button>
      </td>
    )
  const control = {
    'aria-label': label,
    value: text,
    autoFocus: true,
    className: 'w-full min-w-24 bg-sheet px-3 py-1.5',
    onBlur: () => end(true),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') end(true)
      if (event.key === 'Escape') end(false)
      event.stopPropagation()
    },
  }
  return (
    <td className="border-e border-line p-0">
      {column.type === 'select' ? (
        <select {...control} onChange={(event) => setText(event.target.value)}>
          <option value="">—</option>
          {(column.options ?? []).map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : (
        <input
          type={inputType[column.type] ?? 'text'}
          {...control}
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </td>
  )
}

const inputType: Readonly<Record<string, string>> = {
  number: 'number',
  integer: 'number',
  date: 'date',
  datetime: 'datetime-local',
}

export function shown({ type }: TableColumn, value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return type === 'datetime' ? localInput(text) : text
}

/** An empty text takes the value away. What does not fit is for the gateway to refuse, in its words. */
export function typedValue({ type }: TableColumn, text: string): unknown {
  if (text === '') return null
  if (type === 'number' || type === 'integer') return Number(text)
  if (type === 'datetime') return `${text}:00`
  if (type !== 'json') return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
