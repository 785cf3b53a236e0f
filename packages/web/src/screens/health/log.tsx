/** The end of the gateway's log, all of it or only its problems. Fetched when it is opened. */
import type { LogView } from '@countersign/contract'
import { useState } from 'react'
import { useGateway } from '../../environment/queries.ts'
import {
  Button,
  Choice,
  classes,
  EmptyState,
  Loaded,
  Mono,
  Safe,
  SearchField,
  Section,
  Sheet,
} from '../../kit/index.ts'
import { words } from '../../words/health.ts'

type Level = 'all' | 'problem'

export function Log() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Section level={2} title={words.log.title}>
      {isOpen ? (
        <OpenLog />
      ) : (
        <Sheet>
          <Button onClick={() => setOpen(true)}>{words.log.show}</Button>
        </Sheet>
      )}
    </Section>
  )
}

function OpenLog() {
  const [level, setLevel] = useState<Level>('all')
  const [search, setSearch] = useState('')
  const log = useGateway(['log'], (client) => client.log(), { everyMs: 5_000 })
  return (
    <Sheet className="grid gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <Choice
          label={words.log.level}
          hideLabel
          value={level}
          options={[
            { value: 'all', label: words.log.all },
            { value: 'problem', label: words.log.problems },
          ]}
          onChange={setLevel}
        />
        <div className="min-w-48 flex-1">
          <SearchField label={words.log.search} value={search} onChange={setSearch} />
        </div>
      </div>
      <Loaded query={log}>{(data) => <Lines log={data} level={level} search={search} />}</Loaded>
    </Sheet>
  )
}

function Lines({ log: { lines, file }, level, search }: { log: LogView; level: Level; search: string }) {
  const wanted = search.trim().toLowerCase()
  const shown = lines
    .filter((line) => level === 'all' || line.level === level)
    .filter(({ text }) => text.toLowerCase().includes(wanted))
  if (shown.length === 0) return <EmptyState className="py-1" sentence={words.log.none} />
  return (
    <>
      <ol
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        tabIndex={0}
        aria-label={words.log.title}
        className="max-h-96 overflow-y-auto rounded-1 border border-line bg-well p-3 font-mono text-small"
      >
        {shown.toReversed().map(({ at, text, level: own }, index) => (
          <li key={`${at ?? ''} ${String(shown.length - index)}`} className="flex gap-3">
            <span className="shrink-0 text-ink-3 tabular-nums">{at?.slice(11, 19) ?? ''}</span>
            <Safe
              text={own === 'problem' ? words.log.problem(text) : text}
              className={classes('min-w-0', own === 'problem' && 'text-bad')}
            />
          </li>
        ))}
      </ol>
      <p className="text-small text-ink-3">
        {words.log.newestFirst} {file === null ? words.log.sinceStart : <Mono text={file} />}
      </p>
    </>
  )
}
