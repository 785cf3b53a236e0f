/** The Costs screen: what was spent, on what, against which limits. Every figure is from the gateway's own books. */
import { CostGroup, type CostLine, type CostlyRun, type CostReport } from '@countersign/contract'
import type { Screen } from '../../app/destinations.ts'
import { usePlace } from '../../app/place.ts'
import { useBudgets, useGateway } from '../../data/queries.ts'
import {
  Chip,
  type Column,
  Commands,
  EmptyState,
  Facts,
  Link,
  Loaded,
  Meter,
  Money,
  Page,
  Safe,
  Section,
  Select,
  Sheet,
  Table,
  Time,
} from '../../kit/index.ts'
import { moneyWords } from '../../language/format.ts'
import { countWords, numberWords } from '../../language/plural.ts'

export const screen: Screen = { component: CostsScreen }

function CostsScreen() {
  const place = usePlace()
  const by = CostGroup.safeParse(place.search['by']).data ?? 'model'
  const report = useGateway(['costs', 'report', by], (client) => client.costs({ by }))
  return (
    <Page title="Costs" note="from the books of this gateway">
      <div className="grid gap-x-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div>
          <Loaded query={report}>{(data) => <Report report={data} />}</Loaded>
          <Section
            level={2}
            title="On what"
            aside={
              <Select
                label="Group by"
                hideLabel
                className="py-0.5"
                value={by}
                onChange={(event) => place.ask({ by: event.target.value })}
                options={CostGroup.options.map((group) => [group, `by ${group}`] as const)}
              />
            }
          >
            <Loaded
              query={report}
              isEmpty={({ lines }) => lines.length === 0}
              empty={<EmptyState className="py-1" sentence="Nothing was spent." />}
            >
              {({ lines }) => (
                <Table
                  caption={`Spending by ${by}`}
                  columns={lineColumns}
                  rows={lines.slice(0, 200)}
                  keyOf={({ key }) => key}
                />
              )}
            </Loaded>
          </Section>
          <CostliestRuns />
        </div>
        <Limits />
      </div>
    </Page>
  )
}

function Report({ report }: { report: CostReport }) {
  const { total, beforeUsd } = report
  return (
    <Sheet>
      <p className="text-title font-bold">{moneyWords(total.usd)}</p>
      <p className="text-small text-ink-2">
        <Time at={report.from} /> to now · {moneyWords(beforeUsd)} in the same time before
      </p>
      <Facts
        className="mt-3"
        rows={[
          ['Unattended', moneyWords(report.unattendedUsd)],
          [
            'Each outcome',
            report.usdPerOutcome === null ? 'no run ended well yet' : moneyWords(report.usdPerOutcome),
          ],
          ['Tokens', `${countWords(total.input, 'token')} in, ${countWords(total.output, 'token')} out`],
          [
            'From the cache',
            report.cacheHitRate === null ? 'not known' : `${Math.round(report.cacheHitRate * 100)} %`,
          ],
          [
            'Counted by us',
            report.estimatedUsd === 0
              ? null
              : `${moneyWords(report.estimatedUsd)}, where the provider did not say`,
          ],
          [
            'Set aside',
            report.reservedUsd === 0 ? null : `${moneyWords(report.reservedUsd)} for calls under way`,
          ],
        ]}
      />
    </Sheet>
  )
}

const lineColumns: readonly Column<CostLine>[] = [
  { title: 'What', cell: ({ key }) => <Safe text={key} /> },
  { title: 'Calls', cell: ({ calls }) => calls, number: true, wide: true },
  {
    title: 'Tokens in, out',
    cell: ({ input, output }) => `${numberWords(input)}, ${numberWords(output)}`,
    number: true,
    wide: true,
  },
  { title: 'Cost', cell: ({ usd }) => <Money usd={usd} />, number: true },
]

function CostliestRuns() {
  const runs = useGateway(['costs', 'runs'], (client) => client.costlyRuns({ limit: '10' }))
  return (
    <Section level={2} title="The runs that cost most">
      <Loaded
        query={runs}
        isEmpty={(all) => all.length === 0}
        empty={<EmptyState className="py-1" sentence="No run has cost anything." />}
      >
        {(all) => (
          <Table caption="The runs that cost most" columns={runColumns} rows={all} keyOf={({ run }) => run} />
        )}
      </Loaded>
    </Section>
  )
}

const runColumns: readonly Column<CostlyRun>[] = [
  {
    title: 'Run',
    cell: ({ run, title }) => <Link to={`/activity/${run}`}>{title === '' ? 'Untitled' : title}</Link>,
  },
  {
    title: 'Why',
    cell: ({ hint, unattended }) => (
      <>
        {unattended ? <Chip>unattended</Chip> : null} <Safe text={hint ?? ''} />
      </>
    ),
    wide: true,
  },
  { title: 'When', cell: ({ startedAt }) => <Time at={startedAt} />, wide: true },
  { title: 'Cost', cell: ({ usd }) => <Money usd={usd} />, number: true },
]

function Limits() {
  const budgets = useBudgets()
  return (
    <Section level={2} title="Limits" className="lg:mt-0">
      <Loaded
        query={budgets}
        isEmpty={(all) => all.length === 0}
        empty={<EmptyState className="py-1" sentence="No limit is set." />}
      >
        {(all) => (
          <Sheet className="space-y-4">
            {all.map((budget) => {
              const limit = budget.limitUsd + budget.extraUsd
              const spent = budget.spentUsd ?? 0
              return (
                <div key={budget.name}>
                  <Meter
                    label={`${budget.name.replaceAll(':', ', ')}${budget.hard ? '' : ', only warns'}`}
                    value={spent}
                    of={limit}
                    words={
                      budget.spentUsd === null
                        ? `each up to ${moneyWords(limit)}`
                        : `${moneyWords(spent)} of ${moneyWords(limit)}`
                    }
                  />
                  {budget.startsAgainAt === null ? null : (
                    <p className="mt-0.5 text-small text-ink-3">
                      begins again <Time at={budget.startsAgainAt} />
                    </p>
                  )}
                </div>
              )
            })}
          </Sheet>
        )}
      </Loaded>
      <div className="mt-4">
        <Commands
          rows={[
            ['Set a limit', 'countersign cost budget set global 10 --per month'],
            ['Compare with the bill', 'countersign cost reconcile'],
            ['See what was spent while nobody was there', 'countersign cost idle'],
          ]}
        />
      </div>
    </Section>
  )
}
