/** One automation: what sets it off, what it may do, what can be done with it, and every time that it was due. */

import type { MailLook, OccurrenceView, ScheduleView } from '@countersign/contract'
import { Dots } from '../../charts/index.tsx'
import { useGateway } from '../../environment/queries.ts'
import {
  Chip,
  type Column,
  EmptyState,
  Facts,
  Link,
  Loaded,
  Money,
  Safe,
  SafeBlock,
  Section,
  Sheet,
  Table,
  TierChip,
  Time,
} from '../../kit/index.ts'
import { exactWords, moneyWords } from '../../language/format.ts'
import { listWords } from '../../language/plural.ts'
import { words } from '../../words/automations.tsx'
import { AutomationActions } from './actions.tsx'
import { NextTimes } from './next-time.tsx'
import { dotTone, outcomeTone } from './outcome.ts'

const mostDots = 30

export function AutomationPage({ schedule }: { schedule: ScheduleView }) {
  const { name, words: sentence, status } = schedule
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
      <AutomationActions schedule={schedule} />
      <Does schedule={schedule} />
      <div className="grid gap-x-3 sm:grid-cols-2">
        <Limits schedule={schedule} />
        <Outcome schedule={schedule} />
      </div>
      <History schedule={schedule} />
    </article>
  )
}

function Does({ schedule: { does } }: { schedule: ScheduleView }) {
  return (
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
  )
}

function Limits({ schedule }: { schedule: ScheduleView }) {
  const { quiet } = schedule
  return (
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
  )
}

function Outcome({ schedule }: { schedule: ScheduleView }) {
  const { success, next, onFailure, look } = schedule
  const told = [
    onFailure.feed ? words.feed : '',
    onFailure.session === null ? '' : words.conversation,
  ].filter((place) => place !== '')
  return (
    <Section title={words.success}>
      <Sheet>
        <Facts
          rows={[
            look
              ? [words.mail, <MailLooks key="mail" look={look} />]
              : [words.next, next.length === 0 ? words.notSet : <NextTimes key="next" times={next} />],
            [words.countsAsDone, success === '' ? words.endsWell : <Safe key="success" text={success} />],
            [words.toldOnFailure, listWords(told)],
            [words.agent, <Safe key="agent" text={schedule.agent} />],
            [
              words.goal,
              schedule.goal === null ? null : (
                <Link key="goal" to={`/goals/${schedule.goal}`}>
                  <Safe text={schedule.goal} />
                </Link>
              ),
            ],
          ]}
        />
      </Sheet>
    </Section>
  )
}

function MailLooks({ look: { lookedAt, problem, waiting } }: { look: MailLook }) {
  return (
    <>
      <p>{lookedAt === null ? words.notLooked : words.looked(<Time at={lookedAt} />)}</p>
      {problem === null ? null : <p>{words.lookFailed(<Safe text={problem} />)}</p>}
      {waiting === 0 ? null : <p>{words.lookWaiting(waiting)}</p>}
    </>
  )
}

function History({ schedule: { id, name } }: { schedule: ScheduleView }) {
  const history = useGateway(['schedules', id, 'occurrences'], (client) =>
    client.occurrences(id, { limit: String(mostDots) }),
  )
  return (
    <Section title={words.outcomes}>
      <Loaded
        query={history}
        isEmpty={(all) => all.length === 0}
        empty={<EmptyState className="py-1" sentence={words.neverDue} />}
      >
        {(all) => (
          <>
            <div className="mb-3">
              <Dots label={words.trail(all.length)} dots={all.map(dotOf).toReversed()} />
            </div>
            <Table caption={words.caption(name)} columns={columns} rows={all} keyOf={(row) => row.id} />
          </>
        )}
      </Loaded>
    </Section>
  )
}

function dotOf({ id, state, dueAt, run }: OccurrenceView) {
  const to = run === null ? undefined : `/activity/${run}`
  const label = words.dot(words.states[state], exactWords(new Date(dueAt)))
  return { key: id, tone: dotTone(state), label, to }
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
