/** The Costs screen: what was spent, on what, against which limits. Every figure is from the gateway's own books. */

import { CostDayGroup, type CostReport } from '@countersign/contract'
import { useBudgets, useChange, useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import { useServices } from '../../environment/services.tsx'
import { Button, Facts, Loaded, Page, Select, Sheet, Time } from '../../kit/index.ts'
import { moneyWords } from '../../language/format.ts'
import { words } from '../../words/costs.tsx'
import { CompareWithBill } from './bill.tsx'
import { Breakdown, CostliestRuns } from './breakdown.tsx'
import { Limits } from './limits.tsx'
import { periodOf, periods, spanOf } from './period.ts'
import { Prices } from './prices.tsx'
import { SpendingChart } from './spending-chart.tsx'

export const screen: Screen = { component: CostsScreen }

function CostsScreen() {
  const { search, ask } = useRoute()
  const { now } = useServices()
  const period = periodOf(search['period'])
  const span = spanOf(period, now())
  const by = CostDayGroup.safeParse(search['by']).data ?? 'model'
  const only = search['only']
  const report = useGateway(['costs', 'report', by, span], (client) => client.costs({ by, ...span }))
  const days = useGateway(['costs', 'days', by, span], (client) => client.costDays({ by, ...span }))
  const budgets = useBudgets()
  return (
    <Page
      title={words.title}
      actions={
        <>
          <Select
            label={words.period}
            hideLabel
            value={period}
            onChange={(event) => ask({ period: event.target.value })}
            options={periods.map((each) => [each, words.periods[each]] as const)}
          />
          <CompareWithBill span={span} />
        </>
      }
    >
      <div className="grid gap-x-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] lg:grid-rows-[auto_1fr]">
        {/* As high as it will be, so that nothing moves when it comes. */}
        <div className="min-w-0 max-lg:min-h-75 lg:col-start-2">
          <Loaded query={report}>{(data) => <Report report={data} />}</Loaded>
        </div>
        <div className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <Loaded query={days}>
            {(data) => <SpendingChart data={data} period={period} only={only} budgets={budgets.data ?? []} />}
          </Loaded>
          <Breakdown
            report={report}
            by={by}
            only={only}
            onBy={(next) => ask({ by: next, only: undefined })}
            onOnly={(key) => ask({ only: key })}
          />
          <CostliestRuns by={by} only={only} span={span} />
        </div>
        <div className="min-w-0 max-lg:mt-5 lg:col-start-2">
          <Limits />
          <Prices />
        </div>
      </div>
    </Page>
  )
}

function Report({ report }: { report: CostReport }) {
  const { total, beforeUsd } = report
  return (
    <Sheet className="mb-5">
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
      {report.guard === null ? null : <Held reason={report.guard.reason} />}
    </Sheet>
  )
}

/** Unattended work that was put on hold is let go on here, as `countersign cost resume` does. */
function Held({ reason }: { reason: string }) {
  const lift = useChange((client) => client.liftGuard(), [['costs'], ['status']])
  return (
    <div className="mt-3 border-t border-line pt-3">
      <p className="text-small text-bad">{words.held(reason)}</p>
      <Button className="mt-2" busy={lift.isPending} onClick={() => lift.mutate()}>
        {words.resume}
      </Button>
    </div>
  )
}
