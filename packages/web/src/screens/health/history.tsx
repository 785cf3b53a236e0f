/** How the last days went: runs that ended well and badly, waits for models, and how long you were waited for. */
import type { HealthDay, OversightDay } from '@countersign/contract'
import { Lines, restShade, type Series, StackedBars } from '../../charts/index.tsx'
import { useGateway } from '../../environment/queries.ts'
import { EmptyState, Loaded, Section } from '../../kit/index.ts'
import { dayWords } from '../../language/day.ts'
import { lengthWords } from '../../language/format.ts'
import { numberWords } from '../../language/plural.ts'
import { words } from '../../words/health.ts'

const days = 14

export function History() {
  const history = useGateway(['health-days', days], (client) => client.healthDays(days), {
    everyMs: 60_000,
  })
  const waits = useGateway(['ledger', 'days', days], (client) => client.oversightDays(days))
  return (
    <Section level={2} title={words.history.title}>
      <Loaded
        query={history}
        isEmpty={(all) => all.every(({ runs }) => runs === 0)}
        empty={<EmptyState className="py-1" sentence={words.history.none} />}
      >
        {(all) => (
          <div className="grid gap-3 lg:grid-cols-2">
            <Runs days={all} />
            <Loaded
              query={waits}
              isEmpty={(asked) => asked.every(({ medianMs }) => medianMs === null)}
              empty={<EmptyState className="py-1" sentence={words.history.noWaits} />}
            >
              {(asked) => <Waits days={asked} />}
            </Loaded>
          </div>
        )}
      </Loaded>
    </Section>
  )
}

const runSeries: readonly Series[] = [
  { key: 'well', label: words.history.well, shade: restShade },
  { key: 'failed', label: words.history.failed, shade: 'var(--bad)' },
]

function Runs({ days: all }: { days: readonly HealthDay[] }) {
  const retries = all.reduce((sum, day) => sum + day.retries, 0)
  return (
    <StackedBars
      title={words.history.runs}
      aside={
        retries === 0 ? undefined : (
          <span className="text-small font-normal text-ink-2">{words.history.retries(retries)}</span>
        )
      }
      momentTitle={words.history.day}
      series={runSeries}
      moments={all.map(({ day, runs, failed }) => ({
        key: day,
        label: dayWords(day),
        values: { well: runs - failed, failed },
      }))}
      write={numberWords}
    />
  )
}

function Waits({ days: all }: { days: readonly OversightDay[] }) {
  return (
    <Lines
      title={words.history.waits}
      momentTitle={words.history.day}
      series={[{ key: 'wait', label: words.history.wait, shade: 'var(--act)' }]}
      moments={all.map(({ day, medianMs }) => ({
        key: day,
        label: dayWords(day),
        values: medianMs === null ? {} : { wait: medianMs },
      }))}
      write={lengthWords}
    />
  )
}
