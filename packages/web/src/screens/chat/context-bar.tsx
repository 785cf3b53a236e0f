/** What a model is shown, as one bar: its largest parts by name, the rest as one. */

import { words } from '../../words/chat.tsx'

interface Part {
  readonly name: string
  readonly length: number
}

/** About so many characters are a token. */
const tokenLength = 4
const shades = [0.85, 0.62, 0.42, 0.26, 0.14]

export function ContextBar({ sections }: { sections: readonly Part[] }) {
  const parts = largest(sections)
  const total = parts.reduce((sum, { length }) => sum + length, 0)
  const share = (length: number) => `${((100 * length) / Math.max(1, total)).toFixed(1)}%`
  return (
    <>
      <p className="text-small text-ink-2">{words.panel.tokens(Math.round(total / tokenLength))}</p>
      <div aria-hidden className="my-1.5 flex h-2.5 gap-px overflow-hidden rounded-1">
        {parts.map(({ name, length }, place) => (
          <span
            key={name}
            className="bg-act"
            style={{ inlineSize: share(length), opacity: shades[place] ?? 0.14 }}
          />
        ))}
      </div>
      <ul className="space-y-0.5 text-small text-ink-2">
        {parts.map(({ name, length }, place) => (
          <li key={name} className="flex items-center gap-2">
            <span
              aria-hidden
              className="size-2 shrink-0 rounded-full bg-act"
              style={{ opacity: shades[place] ?? 0.14 }}
            />
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <span className="text-ink-3">{share(length)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function largest(sections: readonly Part[]): readonly Part[] {
  const named = sections.filter(({ length }) => length > 0).toSorted((a, b) => b.length - a.length)
  if (named.length <= shades.length) return named
  const first = named.slice(0, shades.length - 1)
  const rest = named.slice(shades.length - 1).reduce((sum, { length }) => sum + length, 0)
  return [...first, { name: words.panel.others, length: rest }]
}
