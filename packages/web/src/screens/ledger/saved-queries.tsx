/** Owns the queries that this browser keeps. */
import { BookmarkPlus, X } from 'lucide-react'
import { usePreferences, useServices } from '../../environment/services.tsx'
import { Button, Safe } from '../../kit/index.ts'
import { words } from '../../words/ledger.tsx'

const most = 20

export function SavedQueries({ q, onAsk }: { q: string; onAsk: (q: string) => void }) {
  const { preferences } = useServices()
  const { ledgerQueries } = usePreferences()
  const keep = (queries: readonly string[]) => preferences.set({ ledgerQueries: queries.slice(0, most) })
  const canSave = q !== '' && !ledgerQueries.includes(q)
  if (!canSave && ledgerQueries.length === 0) return null
  return (
    <ul aria-label={words.saved.title} className="mt-2 flex flex-wrap items-center gap-1.5">
      {ledgerQueries.map((each) => (
        <li key={each} className="flex items-center">
          <Button size="small" aria-pressed={each === q} onClick={() => onAsk(each)}>
            <Safe text={each} />
          </Button>
          <Button
            variant="quiet"
            size="small"
            icon={X}
            aria-label={words.saved.forget(each)}
            onClick={() => keep(ledgerQueries.filter((other) => other !== each))}
          />
        </li>
      ))}
      {canSave ? (
        <li>
          <Button
            variant="quiet"
            size="small"
            icon={BookmarkPlus}
            onClick={() => keep([q, ...ledgerQueries])}
          >
            {words.saved.save}
          </Button>
        </li>
      ) : null}
    </ul>
  )
}
