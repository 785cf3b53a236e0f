/** One automation: what sets it off, what it may do, and every time that it was due. */
import type { OccurrenceView, ScheduleView } from '@countersign/contract'
import { useGateway } from '../../data/queries.ts'
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
import { outcomeTone, outcomeWord } from './outcome.ts'

export function AutomationPage({ schedule }: { schedule: ScheduleView }) {
  const { id, name, words, does, status, next, quiet, success } = schedule
  const history = useGateway(['schedules', id, 'occurrences'], (client) =>
    client.occurrences(id, { limit: '50' }),
  )
  const ref = shellWord(name)
  return (
    <article>
      <div className="flex flex-wrap items-center gap-2 text-small text-ink-3">
        <Chip tone={status === 'active' ? 'ok' : 'plain'}>{status === 'active' ? 'on' : 'paused'}</Chip>
        <TierChip tier={schedule.tierMax} />
        <span>version {schedule.version}</span>
      </div>
      <h2 className="mt-2 text-title">
        <Safe text={name} />
      </h2>
      <p className="text-ink-2">
        <Safe text={words} />
      </p>
      <Section title="What it does">
        <Sheet>
          {does.kind === 'prompt' ? (
            <SafeBlock text={does.text} />
          ) : does.kind === 'plan' ? (
            <>
              Runs the plan <Safe text={does.plan} />
            </>
          ) : (
            'Makes the daily feed'
          )}
        </Sheet>
      </Section>
      <div className="grid gap-x-3 sm:grid-cols-2">
        <Section title="Limits">
          <Sheet>
            <Facts
              rows={[
                ['Cost', `at most ${moneyWords(schedule.maxCostUsd)} each time`],
                [
                  'Usually',
                  schedule.averageCostUsd === null ? 'not known yet' : moneyWords(schedule.averageCostUsd),
                ],
                ['If missed', missedWords[schedule.missed]],
                ['If still running', overlapWords[schedule.overlap]],
                ['Quiet hours', quiet === null ? 'none' : `${quiet.from} to ${quiet.to}, ${quiet.zone}`],
              ]}
            />
          </Sheet>
        </Section>
        <Section title="Success and failure">
          <Sheet>
            <Facts
              rows={[
                [
                  'Counts as done',
                  success === '' ? 'that the run ends well' : <Safe key="success" text={success} />,
                ],
                [
                  'Told on failure',
                  [
                    schedule.onFailure.feed ? 'the feed' : '',
                    schedule.onFailure.session === null ? '' : 'a conversation',
                  ]
                    .filter(Boolean)
                    .join(' and '),
                ],
                ['Next', next.length === 0 ? 'not set' : <Times key="next" times={next} />],
              ]}
            />
          </Sheet>
        </Section>
      </div>
      <Section title="What came of it">
        <Loaded
          query={history}
          isEmpty={(all) => all.length === 0}
          empty={<EmptyState className="py-1" sentence="It was never due so far." />}
        >
          {(all) => (
            <Table
              caption={`Times that ${name} was due`}
              columns={columns}
              rows={all}
              keyOf={(row) => row.id}
            />
          )}
        </Loaded>
      </Section>
      <Section title="Change it in a terminal">
        <Commands
          rows={[
            [
              status === 'active' ? 'Pause it' : 'Let it go on',
              `countersign automation ${status === 'active' ? 'pause' : 'resume'} ${ref}`,
            ],
            ['Run it once now', `countersign automation run ${ref}`],
            ['Ask why it did not run', `countersign automation why-not ${ref} --date today`],
            ['Change a limit', `countersign automation set ${ref} --max-cost 0.10`],
          ]}
        />
      </Section>
    </article>
  )
}

const missedWords = { skip: 'left out', once: 'made up for once', all: 'each is made up for' } as const
const overlapWords = { skip: 'the next is left out', queue: 'the next waits', parallel: 'both run' } as const

const columns: readonly Column<OccurrenceView>[] = [
  { title: 'Due', cell: (row) => <Time at={row.dueAt} /> },
  { title: 'Outcome', cell: (row) => <Chip tone={outcomeTone(row.state)}>{outcomeWord[row.state]}</Chip> },
  { title: 'Because', cell: (row) => <Safe text={row.because} />, wide: true },
  { title: 'Cost', cell: (row) => <Money usd={row.costUsd} />, number: true },
  { title: 'Run', cell: (row) => (row.run === null ? null : <Link to={`/activity/${row.run}`}>Open</Link>) },
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
