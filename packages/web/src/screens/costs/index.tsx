/** The Costs screen: what was spent, on what, against which limits. Every figure is from the gateway's own books. */

import { CostGroup, type CostLine, type CostlyRun, type CostReport } from '@countersign/contract'
import { useBudgets, useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
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
import { numberWords } from '../../language/plural.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/costs.tsx'

export const screen: Screen = { component: CostsScreen }

function CostsScreen() {
  const route = useRoute()
  const by = CostGroup.safeParse(route.search['by']).data ?? 'model'
  const report = useGateway(['costs', 'report', by], (client) => client.costs({ by }))
  return (
    <Page title={words.title} note={words.note}>
      <div className="grid gap-x-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div>
          <Loaded query={report}>{(data) => <Report report={data} />}</Loaded>
          <Section
            level={2}
            title={words.breakdown}
            aside={
              <Select
                label={words.groupBy}
                hideLabel
                className="py-0.5"
                value={by}
                onChange={(event) => route.ask({ by: event.target.value })}
                options={CostGroup.options.map((group) => [group, words.by[group]] as const)}
              />
            }
          >
            <Loaded
              query={report}
              isEmpty={({ lines }) => lines.length === 0}
              empty={<EmptyState className="py-1" sentence={words.nothing} />}
            >
              {({ lines }) => (
                <Table
                  caption={words.caption(words.by[by])}
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
      <p className="text-small text-ink-2">{words.span(<Time at={report.from} />, moneyWords(beforeUsd))}</p>
      <Facts
        className="mt-3"
        rows={[
          [words.unattended, moneyWords(report.unattendedUsd)],
          [
            words.perOutcome,
            report.usdPerOutcome === null ? words.noOutcome : moneyWords(report.usdPerOutcome),
          ],
          [words.tokens, words.tokenCounts(total.input, total.output)],
          [
            words.cached,
            report.cacheHitRate === null
              ? words.unknown
              : words.percent(Math.round(report.cacheHitRate * 100)),
          ],
          [
            words.estimated,
            report.estimatedUsd === 0 ? null : words.estimatedAbout(moneyWords(report.estimatedUsd)),
          ],
          [
            words.reserved,
            report.reservedUsd === 0 ? null : words.reservedAbout(moneyWords(report.reservedUsd)),
          ],
        ]}
      />
    </Sheet>
  )
}

const lineColumns: readonly Column<CostLine>[] = [
  { title: words.columns.what, cell: ({ key }) => <Safe text={key} /> },
  { title: words.columns.calls, cell: ({ calls }) => calls, number: true, wide: true },
  {
    title: words.columns.tokens,
    cell: ({ input, output }) => `${numberWords(input)}, ${numberWords(output)}`,
    number: true,
    wide: true,
  },
  { title: words.columns.cost, cell: ({ usd }) => <Money usd={usd} />, number: true },
]

function CostliestRuns() {
  const runs = useGateway(['costs', 'runs'], (client) => client.costlyRuns({ limit: '10' }))
  return (
    <Section level={2} title={words.costliest}>
      <Loaded
        query={runs}
        isEmpty={(all) => all.length === 0}
        empty={<EmptyState className="py-1" sentence={words.noRuns} />}
      >
        {(all) => (
          <Table caption={words.costliest} columns={runColumns} rows={all} keyOf={({ run }) => run} />
        )}
      </Loaded>
    </Section>
  )
}

const runColumns: readonly Column<CostlyRun>[] = [
  {
    title: words.columns.run,
    cell: ({ run, title }) => <Link to={`/activity/${run}`}>{title === '' ? common.untitled : title}</Link>,
  },
  {
    title: words.columns.why,
    cell: ({ hint, unattended }) => (
      <>
        {unattended ? <Chip>{words.unattendedRun}</Chip> : null} <Safe text={hint ?? ''} />
      </>
    ),
    wide: true,
  },
  { title: words.columns.when, cell: ({ startedAt }) => <Time at={startedAt} />, wide: true },
  { title: words.columns.cost, cell: ({ usd }) => <Money usd={usd} />, number: true },
]

function Limits() {
  const budgets = useBudgets()
  return (
    <Section level={2} title={words.limits} className="lg:mt-0">
      <Loaded
        query={budgets}
        isEmpty={(all) => all.length === 0}
        empty={<EmptyState className="py-1" sentence={words.noLimits} />}
      >
        {(all) => (
          <Sheet className="space-y-4">
            {all.map((budget) => {
              const limit = budget.limitUsd + budget.extraUsd
              const spent = budget.spentUsd ?? 0
              return (
                <div key={budget.name}>
                  <Meter
                    label={`${budget.name.replaceAll(':', ', ')}${budget.hard ? '' : words.onlyWarns}`}
                    value={spent}
                    of={limit}
                    words={
                      budget.spentUsd === null
                        ? words.eachUpTo(moneyWords(limit))
                        : words.of(moneyWords(spent), moneyWords(limit))
                    }
                  />
                  {budget.startsAgainAt === null ? null : (
                    <p className="mt-0.5 text-small text-ink-3">
                      {words.restarts(<Time at={budget.startsAgainAt} />)}
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
            [words.commands.set, 'countersign cost budget set global 10 --per month'],
            [words.commands.reconcile, 'countersign cost reconcile'],
            [words.commands.idle, 'countersign cost idle'],
          ]}
        />
      </div>
    </Section>
  )
}
