/** Owns the counts beside the list: what there is of each, and a way to ask for only that. */

import {
  type LedgerFacet,
  ledgerQueryText,
  ledgerTermText,
  parseLedgerQuery,
  withoutTerm,
  withTerm,
} from '@countersign/contract'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { Button, classes, Safe } from '../../kit/index.ts'
import { numberWords } from '../../language/plural.ts'
import { words } from '../../words/ledger.tsx'
import { facetTerm, facetWords } from './words.ts'

const few = 6

export function Facets({
  facets,
  q,
  onAsk,
}: {
  facets: readonly LedgerFacet[]
  q: string
  onAsk: (q: string) => void
}) {
  return (
    <div className="space-y-4">
      {facets
        .filter(({ values }) => values.length > 0)
        .map((facet) => (
          <Facet key={facet.field} facet={facet} q={q} onAsk={onAsk} />
        ))}
    </div>
  )
}

function Facet({ facet, q, onAsk }: { facet: LedgerFacet; q: string; onAsk: (q: string) => void }) {
  const [open, setOpen] = useState(false)
  const { query } = parseLedgerQuery(q)
  const asked = new Set(query.terms.map(ledgerTermText))
  const shown = open ? facet.values : facet.values.slice(0, few)
  return (
    <section>
      <h2 className="mb-1 text-small font-medium text-ink-2">{words.facets.titles[facet.field]}</h2>
      <ul>
        {shown.map(({ value, count }) => {
          const term = facetTerm(facet.field, value)
          const pressed = asked.has(ledgerTermText(term))
          return (
            <li key={value}>
              <button
                type="button"
                aria-pressed={pressed}
                onClick={() =>
                  onAsk(ledgerQueryText(pressed ? withoutTerm(query, term) : withTerm(query, term)))
                }
                className={classes(
                  'target flex w-full items-center gap-2 rounded-1 px-1.5 text-start text-small leading-6 hover:bg-ink/5',
                  pressed ? 'font-medium text-ink' : 'text-ink-2',
                )}
              >
                <span className="min-w-0 flex-1 truncate">
                  {pressed ? <Check size={13} aria-hidden className="me-1 inline" /> : null}
                  <Safe text={facetWords(facet.field, value)} />
                </span>
                <span className="text-ink-3">{numberWords(count)}</span>
              </button>
            </li>
          )
        })}
      </ul>
      {facet.values.length > few ? (
        <Button variant="quiet" size="small" onClick={() => setOpen(!open)}>
          {open ? words.facets.fewer : words.facets.all(facet.values.length)}
        </Button>
      ) : null}
    </section>
  )
}
