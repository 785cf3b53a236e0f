/** What happened to a file, from the ledger, and taking a change back. */
import { type LedgerEntryView, undoableFileWriters } from '@countersign/contract'
import { Undo2 } from 'lucide-react'
import { useDirectCalls } from '../../deciding/use-direct-call.ts'
import { useGateway } from '../../environment/queries.ts'
import { Button, Link, Loaded, Safe, Section, Sheet, Time } from '../../kit/index.ts'
import { words } from '../../words/files.tsx'

export function FileHistory({ path }: { path: string }) {
  const direct = useDirectCalls('files')
  const history = useGateway(['files', 'history', path], async (client) => {
    const { entries } = await client.ledger({ q: `type:effect.outcome ${JSON.stringify(path)}`, limit: 30 })
    return entries.filter(({ call, run }) => call !== null && run !== null)
  })
  return (
    <Section title={words.history}>
      <Loaded
        query={history}
        isEmpty={(entries) => entries.length === 0}
        empty={<p className="text-ink-3">{words.noHistory}</p>}
      >
        {(entries) => (
          <Sheet padded={false}>
            <ul>
              {entries.map((entry) => (
                <HistoryRow
                  key={entry.seq}
                  entry={entry}
                  onUndo={() => direct.undo(entry.run ?? '', [entry.call ?? ''])}
                />
              ))}
            </ul>
          </Sheet>
        )}
      </Loaded>
    </Section>
  )
}

function HistoryRow({ entry, onUndo }: { entry: LedgerEntryView; onUndo: () => void }) {
  const changes = entry.outcome === 'ok' && undoableFileWriters.includes(entry.tool ?? '')
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 last:border-b-0">
      <span className="min-w-0 flex-1">
        <Safe text={entry.headline ?? entry.sentence} />
      </span>
      <Time at={entry.at} className="text-small text-ink-3" />
      <Link to={`/activity/${entry.run ?? ''}`}>{words.openRun}</Link>
      {changes ? (
        <Button size="small" icon={Undo2} onClick={onUndo}>
          {words.undo}
        </Button>
      ) : null}
    </li>
  )
}
