/** The side of Today: what will run by itself, what may act without asking, and what is spent. */
import { useLive } from '../../app/services.tsx'
import { useBudgets, useGateway, useGrants, useSpentToday } from '../../data/queries.ts'
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
import { countWords } from '../../language/plural.ts'
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
      title="Next 24 h"
      note={runs.length === 0 ? undefined : `about ${moneyWords(expectedUsd(runs))}`}
      aside={<Link to="/automations">Automations</Link>}
    >
      <Known
        query={schedules}
        skeleton={<Skeleton rows={2} />}
        isEmpty={() => runs.length === 0}
        empty={
          <EmptyState
            className="py-0!"
            sentence={
              (schedules.data ?? []).length === 0
                ? 'Nothing runs by itself, until you add an automation.'
                : 'No automation is due.'
            }
          />
        }
      >
        {() => (
          <Sheet padded={false}>
            {paused ? (
              <p className="hatched border-b border-line px-4 py-2 text-small">
                Everything is paused: none of these runs until you resume.
              </p>
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
                      up to <TierChip tier={schedule.tierMax} />
                    </span>
                    <span className="ms-auto">
                      {isCeiling ? `at most ${moneyWords(usd)}` : `about ${moneyWords(usd)}`}
                    </span>
                  </div>
                </li>
              ))}
            </ol>
            {runs.length > shownRuns ? (
              <p className="border-t border-line px-4 py-2 text-small text-ink-3">
                and {runs.length - shownRuns} more
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
    <Block title="Standing authority" aside={<Link to="/policy">Review</Link>}>
      <Known query={grants} skeleton={<Skeleton rows={2} />}>
        {(all) => {
          const { active, unused } = grantCounts(all, now)
          return (
            <Sheet>
              <p>
                {active === 0 ? (
                  'No grant: whatever policy asks about is asked.'
                ) : (
                  <>
                    <strong className="font-medium">{countWords(active, 'grant')}</strong> can act without
                    asking
                  </>
                )}
              </p>
              <ul className="text-small text-ink-2">
                {unused === 0 ? null : (
                  <li>
                    <Link to="/policy?show=unused">{unused} unused for 30 days</Link>
                  </li>
                )}
                {whatCan.data === undefined ? null : (
                  <li>
                    Level {whatCan.data.autonomy}: {levelWords(whatCan.data.autonomy)}
                    {whatCan.data.rules.length === 0
                      ? ''
                      : `; ${countWords(whatCan.data.rules.length, 'rule')} of yours`}
                  </li>
                )}
                {asked === 0 ? null : (
                  <li>
                    <Link to="/policy?show=suggested">
                      {countWords(asked, 'grant')} would have spared you questions
                    </Link>
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
    <Block title="Spending" className="mb-0" aside={<Link to="/costs">Costs</Link>}>
      <Known query={today} skeleton={<Skeleton rows={2} />}>
        {({ usd, limitUsd }) => (
          <Sheet className="space-y-3">
            {limitUsd === null ? (
              <Plain label="Today" words={moneyWords(usd)} />
            ) : (
              <Meter
                label="Today"
                value={usd}
                of={limitUsd}
                words={`${moneyWords(usd)} of ${moneyWords(limitUsd)}`}
              />
            )}
            {[month, unattended].map((budget) => {
              if (budget === undefined || budget.spentUsd === null) return null
              const limit = budget.limitUsd + budget.extraUsd
              return (
                <Meter
                  key={budget.name}
                  label={budget.scope === 'unattended' ? `Unattended, this ${budget.period}` : 'This month'}
                  value={budget.spentUsd}
                  of={limit}
                  words={`${moneyWords(budget.spentUsd)} of ${moneyWords(limit)}`}
                />
              )
            })}
            {budgets.data !== undefined && month === undefined && limitUsd === null ? (
              <div className="flex flex-wrap items-center justify-between gap-2 text-small text-ink-2">
                No limit is set for everything.
                <ButtonLink to="/costs">Set one</ButtonLink>
              </div>
            ) : null}
          </Sheet>
        )}
      </Known>
    </Block>
  )
}

function Plain({ label, words }: { label: string; words: string }) {
  return (
    <p className="flex justify-between gap-3 text-small">
      <span className="text-ink-2">{label}</span>
      <span>{words}</span>
    </p>
  )
}
