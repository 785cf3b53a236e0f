/** One automation: what sets it off, what it may do, and every time that it was due. */

import type { OccurrenceView, ScheduleView } from '@countersign/contract'
import { useGateway } from '../../environment/queries.ts'
import {
  Chip,
  type Column,
  Commands,
  EmptyState,
  Facts,
  Link,
  Loaded,
  Money,
  Safe,
  SafeBlock,
  Section,
  Sheet,
  shellWord,
  Table,
  TierChip,
  Time,
} from '../../kit/index.ts'
import { moneyWords } from '../../language/format.ts'
import { listWords } from '../../language/plural.ts'
import { words } from '../../words/automations.tsx'
import { outcomeTone } from './outcome.ts'

export function AutomationPage({ schedule }: { schedule: ScheduleView }) {
  const { id, name, words: sentence, does, status, next, quiet, success } = schedule
  const history = useGateway(['schedules', id, 'occurrences'], (client) =>
    client.occurrences(id, { limit: '50' }),
  )
  const ref = shellWord(name)
  return (
    <article>
      <div className="flex flex-wrap items-center gap-2 text-small text-ink-3">
        <Chip tone={status === 'active' ? 'ok' : 'plain'}>{words[status]}</Chip>
        <TierChip tier={schedule.tierMax} />
        <span>{words.version(schedule.version)}</span>
      </div>
      <h2 className="mt-2 text-title">
        <Safe text={name} />
      </h2>
      <p className="text-ink-2">
        <Safe text={sentence} />
      </p>
      <Section title={words.does}>
        <Sheet>
          {does.kind === 'prompt' ? (
            <SafeBlock text={does.text} />
          ) : does.kind === 'plan' ? (
            words.runsPlan(<Safe text={does.plan} />)
          ) : (
            words.makesFeed
          )}
        </Sheet>
      </Section>
      <div className="grid gap-x-3 sm:grid-cols-2">
        <Section title={words.limits}>
          <Sheet>
            <Facts
              rows={[
                [words.cost, words.atMost(moneyWords(schedule.maxCostUsd))],
                [
                  words.usually,
                  schedule.averageCostUsd === null ? words.unknownYet : moneyWords(schedule.averageCostUsd),
                ],
                [words.ifMissed, words.missed[schedule.missed]],
                [words.ifRunning, words.overlap[schedule.overlap]],
                [
                  words.quiet,
                  quiet === null ? words.noQuiet : words.quietHours(quiet.from, quiet.to, quiet.zone),
                ],
              ]}
            />
          </Sheet>
        </Section>
        <Section title={words.success}>
          <Sheet>
            <Facts
              rows={[
                [words.countsAsDone, success === '' ? words.endsWell : <Safe key="success" text={success} />],
                [
                  words.toldOnFailure,
                  listWords(
                    [
                      schedule.onFailure.feed ? words.feed : '',
                      schedule.onFailure.session === null ? '' : words.conversation,
                    ].filter((place) => place !== ''),
                  ),
                ],
                [words.next, next.length === 0 ? words.notSet : <Times key="next" times={next} />],
              ]}
            />
          </Sheet>
        </Section>
      </div>
      <Section title={words.outcomes}>
        <Loaded
          query={history}
          isEmpty={(all) => all.length === 0}
          empty={<EmptyState className="py-1" sentence={words.neverDue} />}
        >
          {(all) => (
            <Table caption={words.caption(name)} columns={columns} rows={all} keyOf={(row) => row.id} />
          )}
        </Loaded>
      </Section>
      <Section title={words.terminal}>
        <Commands
          rows={[
            [
              status === 'active' ? words.commands.pause : words.commands.resume,
              `countersign automation ${status === 'active' ? 'pause' : 'resume'} ${ref}`,
            ],
            [words.commands.run, `countersign automation run ${ref}`],
            [words.commands.whyNot, `countersign automation why-not ${ref} --date today`],
            [words.commands.limit, `countersign automation set ${ref} --max-cost 0.10`],
          ]}
        />
      </Section>
    </article>
  )
}

const columns: readonly Column<OccurrenceView>[] = [
  { title: words.columns.due, cell: (row) => <Time at={row.dueAt} /> },
  {
    title: words.columns.outcome,
    cell: (row) => <Chip tone={outcomeTone(row.state)}>{words.states[row.state]}</Chip>,
  },
  { title: words.columns.because, cell: (row) => <Safe text={row.because} />, wide: true },
  { title: words.columns.cost, cell: (row) => <Money usd={row.costUsd} />, number: true },
  {
    title: words.columns.run,
    cell: (row) => (row.run === null ? null : <Link to={`/activity/${row.run}`}>{words.columns.open}</Link>),
  },
]

function Times({ times }: { times: readonly string[] }) {
  return (
    <ul>
      {times.map((at) => (
        <li key={at}>
          <Time at={at} />
        </li>
      ))}
    </ul>
  )
}
