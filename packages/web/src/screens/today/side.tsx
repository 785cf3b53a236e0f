/** The side of Today: what will run by itself, what may act without asking, and what is spent. */

import { useBudgets, useGateway, useGrants, useSpentToday } from '../../environment/queries.ts'
import { useLive } from '../../environment/services.tsx'
import {
  ButtonLink,
  EmptyState,
  Link,
  Meter,
  Safe,
  Sheet,
  Skeleton,
  TierChip,
  Time,
  useNow,
} from '../../kit/index.ts'
import { moneyWords } from '../../language/format.ts'
import { words } from '../../words/today.tsx'
import { grantCounts, levelWords } from '../policy/grants.ts'
import { Block, Known } from './block.tsx'
import { comingRuns, expectedUsd } from './upcoming.ts'

const shownRuns = 8

export function Next24Hours() {
  const now = useNow(60_000)
  const paused = useLive((live) => live.state.paused !== null)
  const schedules = useGateway(['schedules'], (client) => client.schedules(), { everyMs: 60_000 })
  const runs = comingRuns(schedules.data ?? [], now)
  return (
    <Block
      title={words.next.title}
      note={runs.length === 0 ? undefined : words.next.about(moneyWords(expectedUsd(runs)))}
      aside={<Link to="/automations">{words.next.automations}</Link>}
    >
      <Known
        query={schedules}
        skeleton={<Skeleton rows={2} />}
        isEmpty={() => runs.length === 0}
        empty={
          <EmptyState
            className="py-0!"
            sentence={(schedules.data ?? []).length === 0 ? words.next.noAutomation : words.next.noneDue}
            {...((schedules.data ?? []).length === 0
              ? { action: <ButtonLink to="/automations">{words.next.add}</ButtonLink> }
              : {})}
          />
        }
      >
        {() => (
          <Sheet padded={false}>
            {paused ? (
              <p className="hatched border-b border-line px-4 py-2 text-small">{words.next.paused}</p>
            ) : null}
            <ol>
              {runs.slice(0, shownRuns).map(({ at, schedule, usd, isCeiling }) => (
                <li
                  key={`${schedule.id} ${at}`}
                  className="border-t border-line px-4 py-2.5 first:border-t-0"
                >
                  <div className="flex items-baseline gap-3">
                    <Link to={`/automations/${schedule.id}`} className="min-w-0 flex-1 font-medium">
                      <Safe text={schedule.name} />
                    </Link>
                    <Time at={at} className="text-small text-ink-2" />
                  </div>
                  <div className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-ink-3">
                    <span className="inline-flex items-center gap-1">
                      {words.next.upTo} <TierChip tier={schedule.tierMax} />
                    </span>
                    <span className="ms-auto">
                      {isCeiling ? words.next.atMost(moneyWords(usd)) : words.next.about(moneyWords(usd))}
                    </span>
                  </div>
                </li>
              ))}
            </ol>
            {runs.length > shownRuns ? (
              <p className="border-t border-line px-4 py-2 text-small text-ink-3">
                {words.more(runs.length - shownRuns)}
              </p>
            ) : null}
          </Sheet>
        )}
      </Known>
    </Block>
  )
}

export function StandingAuthority() {
  const now = useNow(60_000)
  const grants = useGrants()
  const whatCan = useGateway(['grants', 'what-can', null], (client) => client.whatCan())
  const suggestions = useGateway(['grants', 'suggestions'], (client) => client.suggestedGrants())
  const asked = suggestions.data?.length ?? 0
  return (
    <Block title={words.standing.title} aside={<Link to="/policy">{words.standing.review}</Link>}>
      <Known query={grants} skeleton={<Skeleton rows={2} />}>
        {(all) => {
          const { active, unused } = grantCounts(all, now)
          return (
            <Sheet>
              <p>
                {active === 0
                  ? words.standing.none
                  : words.standing.canAct(
                      <strong className="font-medium">{words.standing.active(active)}</strong>,
                      active,
                    )}
              </p>
              <ul className="text-small text-ink-2">
                {unused === 0 ? null : (
                  <li>
                    <Link to="/policy/grants?show=unused">{words.standing.unused(unused)}</Link>
                  </li>
                )}
                {whatCan.data === undefined ? null : (
                  <li>
                    {words.standing.level(whatCan.data.autonomy, levelWords(whatCan.data.autonomy))}
                    {whatCan.data.rules.length === 0 ? '' : words.standing.rules(whatCan.data.rules.length)}
                  </li>
                )}
                {asked === 0 ? null : (
                  <li>
                    <Link to="/policy/grants">{words.standing.suggested(asked)}</Link>
                  </li>
                )}
              </ul>
            </Sheet>
          )
        }}
      </Known>
    </Block>
  )
}

export function Spending() {
  const today = useSpentToday()
  const budgets = useBudgets()
  const month = budgets.data?.find(({ scope, period }) => scope === 'global' && period === 'month')
  const unattended = budgets.data?.find(({ scope }) => scope === 'unattended')
  return (
    <Block
      title={words.spending.title}
      className="mb-0"
      aside={<Link to="/costs">{words.spending.costs}</Link>}
    >
      <Known query={today} skeleton={<Skeleton rows={2} />}>
        {({ usd, limitUsd }) => (
          <Sheet className="space-y-3">
            {limitUsd === null ? (
              <Plain label={words.spending.today} amount={moneyWords(usd)} />
            ) : (
              <Meter
                label={words.spending.today}
                value={usd}
                of={limitUsd}
                words={words.spending.of(moneyWords(usd), moneyWords(limitUsd))}
              />
            )}
            {[month, unattended].map((budget) => {
              if (budget === undefined || budget.spentUsd === null) return null
              const limit = budget.limitUsd + budget.extraUsd
              return (
                <Meter
                  key={budget.name}
                  label={
                    budget.scope === 'unattended'
                      ? words.spending.unattended[budget.period]
                      : words.spending.month
                  }
                  value={budget.spentUsd}
                  of={limit}
                  words={words.spending.of(moneyWords(budget.spentUsd), moneyWords(limit))}
                />
              )
            })}
            {budgets.data !== undefined && month === undefined && limitUsd === null ? (
              <div className="flex flex-wrap items-center justify-between gap-2 text-small text-ink-2">
                {words.spending.noLimit}
                <ButtonLink to="/costs">{words.spending.setOne}</ButtonLink>
              </div>
            ) : null}
          </Sheet>
        )}
      </Known>
    </Block>
  )
}

function Plain({ label, amount }: { label: string; amount: string }) {
  return (
    <p className="flex justify-between gap-3 text-small">
      <span className="text-ink-2">{label}</span>
      <span>{amount}</span>
    </p>
  )
}
