/** Owns the query: a line of text, the same query as chips, and a few that stand ready. */

import {
  type LedgerQuery,
  ledgerQueryText,
  ledgerTermText,
  parseLedgerQuery,
  withoutTerm,
} from '@countersign/contract'
import { Search, X } from 'lucide-react'
import { type Ref, useEffect, useState } from 'react'
import { Button, classes, Safe, TextField } from '../../kit/index.ts'
import { words } from '../../words/ledger.tsx'
import { presets, termWords } from './words.ts'

export interface QueryBarProps {
  readonly q: string
  readonly onAsk: (q: string) => void
  readonly input: Ref<HTMLInputElement>
}

/** The language of queries has no translation. */
const example = 'tool:write_file tier>=2 since:7d invoice'

const settleMs = 400

export function QueryBar({ q, onAsk, input }: QueryBarProps) {
  const [text, setText] = useState(q)
  useEffect(() => setText(q), [q])
  const { query, problems } = parseLedgerQuery(text)
  const [problem] = problems
  useEffect(() => {
    if (text.trim() === q || problems.length > 0) return
    const timer = window.setTimeout(() => onAsk(text.trim()), settleMs)
    return () => window.clearTimeout(timer)
  }, [text, q, problems.length, onAsk])
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        if (problem === undefined) onAsk(text.trim())
      }}
    >
      <div className="relative">
        <Search
          size={16}
          aria-hidden
          className="absolute start-2.5 top-2.5 text-ink-3 pointer-coarse:top-3.5"
        />
        <TextField
          ref={input}
          label={words.query.label}
          hideLabel
          type="search"
          spellCheck={false}
          value={text}
          placeholder={example}
          className="ps-8 font-mono text-small [font-feature-settings:'calt'_0]"
          onChange={(event) => setText(event.target.value)}
          {...(problem === undefined ? {} : { problem: `${problem.message} ${problem.next}` })}
        />
      </div>
      {query.terms.length > 0 ? <Chips query={query} onAsk={onAsk} /> : <Presets onAsk={onAsk} />}
    </form>
  )
}

function Chips({ query, onAsk }: { query: LedgerQuery; onAsk: (q: string) => void }) {
  return (
    <ul aria-label={words.query.terms} className="mt-2 flex flex-wrap items-center gap-1.5">
      {query.terms.map((term) => {
        const text = ledgerTermText(term)
        const { name, value } = termWords(term)
        return (
          <li key={text}>
            <button
              type="button"
              onClick={() => onAsk(ledgerQueryText(withoutTerm(query, term)))}
              className={classes(
                'target inline-flex max-w-full items-center gap-1.5 rounded-1 border border-line-strong bg-sheet ps-2 pe-1.5 text-small leading-6',
                'hover:border-edge',
              )}
            >
              <span className="sr-only">{words.query.remove} </span>
              <span className="text-ink-3">{name}</span>
              <Safe text={value} className="truncate font-medium" />
              <X size={14} aria-hidden className="shrink-0 text-ink-3" />
            </button>
          </li>
        )
      })}
      <li>
        <Button variant="quiet" size="small" onClick={() => onAsk('')}>
          {words.query.clear}
        </Button>
      </li>
    </ul>
  )
}

function Presets({ onAsk }: { onAsk: (q: string) => void }) {
  return (
    <ul aria-label={words.query.presets} className="mt-2 flex gap-1.5 overflow-x-auto pb-0.5 md:flex-wrap">
      {presets.map(({ label, q }) => (
        <li key={label} className="shrink-0">
          <Button size="small" onClick={() => onAsk(q)} title={q}>
            {label}
          </Button>
        </li>
      ))}
    </ul>
  )
}
