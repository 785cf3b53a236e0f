/** What a line that begins with a slash may become, above the place where it is written. */

import { type SlashRow, slashUsage } from '@countersign/contract'
import { classes } from '../../kit/index.ts'
import { words } from '../../words/chat.tsx'

export const slashMenuId = 'slash-commands'

export function SlashMenu({
  rows,
  chosen,
  onPick,
}: {
  rows: readonly SlashRow[]
  /** The place of the one that Enter takes. */
  chosen: number
  onPick: (row: SlashRow) => void
}) {
  if (rows.length === 0) return null
  return (
    <div
      id={slashMenuId}
      role="listbox"
      aria-label={words.commands.list}
      className="appear absolute inset-x-0 bottom-full z-20 mb-1 max-h-72 overflow-y-auto rounded-2 border border-line bg-sheet p-1 shadow-2"
    >
      {rows.map((row, place) => (
        <div
          key={row.name}
          id={`${slashMenuId}-${row.name}`}
          role="option"
          tabIndex={-1}
          aria-selected={place === chosen}
          className={classes(
            'target flex cursor-default items-center gap-3 rounded-1 px-2.5 py-1.5',
            place === chosen && 'bg-act-soft',
          )}
          // The field keeps the focus.
          onMouseDown={(event) => {
            event.preventDefault()
            onPick(row)
          }}
        >
          <code className="w-40 shrink-0">{slashUsage(row)}</code>
          <span className="min-w-0 text-ink-2">{words.commands.about[row.name]}</span>
        </div>
      ))}
    </div>
  )
}
