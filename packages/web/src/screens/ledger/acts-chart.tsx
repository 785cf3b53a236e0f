/** Draws what was done each day by tier, and how many requests were decided how fast. */
import type { OversightDay } from '@countersign/contract'
import { Lines, type Series, StackedBars, tierShade } from '../../charts/index.tsx'
import { useGateway } from '../../environment/queries.ts'
import { Loaded } from '../../kit/index.ts'
import { dayWords } from '../../language/day.ts'
import { lengthWords } from '../../language/format.ts'
import { numberWords } from '../../language/plural.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/ledger.tsx'

const tiers = [0, 1, 2, 3, 4] as const
const series: readonly Series[] = tiers.map((tier) => ({
  key: String(tier),
  label: common.tier.names[tier],
  shade: tierShade(tier),
}))

export function ActsCharts() {
  const days = useGateway(['ledger', 'days'], (client) => client.oversightDays(30), { everyMs: 60_000 })
  return (
    <Loaded query={days}>
      {(all) => (
        <div className="grid gap-3">
          <Tiers title={words.charts.acts} days={all} of={({ acts }) => acts} />
          <Tiers title={words.charts.asked} days={all} of={({ asked }) => asked} />
          <Lines
            title={words.charts.speed}
            momentTitle={words.charts.day}
            series={[{ key: 'ms', label: words.charts.median, shade: 'var(--act)' }]}
            moments={all.map(({ day, medianMs }) => ({
              key: day,
              label: dayWords(day),
              values: medianMs === null ? {} : { ms: medianMs },
            }))}
            write={lengthWords}
          />
        </div>
      )}
    </Loaded>
  )
}

function Tiers({
  title,
  days,
  of,
}: {
  title: string
  days: readonly OversightDay[]
  of: (day: OversightDay) => readonly number[]
}) {
  return (
    <StackedBars
      title={title}
      momentTitle={words.charts.day}
      series={series}
      moments={days.map((each) => ({
        key: each.day,
        label: dayWords(each.day),
        values: Object.fromEntries(of(each).map((count, tier) => [String(tier), count])),
      }))}
      write={numberWords}
    />
  )
}
