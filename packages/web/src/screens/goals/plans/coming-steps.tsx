/** The steps of a running plan that have not started, each of which can be left out. */
import { isPlanRunning, isSkippable, type PlanDetail } from '@countersign/contract'
import { SkipForward } from 'lucide-react'
import { Button, Safe, Section, Sheet, useAct } from '../../../kit/index.ts'
import { words } from '../../../words/plans.tsx'

export function ComingSteps({ detail: { plan, states } }: { detail: PlanDetail }) {
  const { isBusy, act } = useAct([['plans']])
  const coming = states.flatMap(({ step, state }) => {
    const found = plan.steps.find(({ id }) => id === step)
    const isComing = state === 'later' || state === 'ready'
    return found !== undefined && isComing && isSkippable(found) ? [found] : []
  })
  if (!isPlanRunning(plan) || coming.length === 0) return null
  return (
    <Section title={words.next}>
      <Sheet padded={false}>
        <ul>
          {coming.map(({ id, name }) => (
            <li key={id} className="flex items-center gap-3 border-t border-line px-4 py-2 first:border-t-0">
              <span className="min-w-0 flex-1">
                <Safe text={name} />
              </span>
              <Button
                size="small"
                icon={SkipForward}
                busy={isBusy}
                aria-label={words.skipStep(name)}
                onClick={() => void act((client) => client.skipPlanStep(plan.id, id), words.skipped(name))}
              >
                {words.skip}
              </Button>
            </li>
          ))}
        </ul>
      </Sheet>
    </Section>
  )
}
