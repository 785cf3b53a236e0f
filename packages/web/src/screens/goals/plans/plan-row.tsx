/** A plan in the list. */
import type { PlanStatus, PlanView } from '@countersign/contract'
import { Chip, Row, Safe, Time, type Tone } from '../../../kit/index.ts'
import { words } from '../../../words/plans.tsx'

const tones: Readonly<Record<PlanStatus, Tone>> = {
  pending: 'plain',
  in_progress: 'act',
  paused: 'waiting',
  completed: 'ok',
  failed: 'bad',
  cancelled: 'plain',
}

export const planTone = (status: PlanStatus): Tone => tones[status]

export function PlanRow({ plan, to, current }: { plan: PlanView; to: string; current: boolean }) {
  return (
    <Row to={to} current={current}>
      <span className="flex items-baseline gap-2">
        <Safe text={plan.name} className="min-w-0 flex-1 font-medium" />
        <Chip tone={planTone(plan.status)}>{words.status[plan.status]}</Chip>
      </span>
      <span className="mt-1 flex items-center gap-2 text-small text-ink-3">
        <span>{words.steps(plan.steps.length)}</span>
        <span className="ms-auto">
          {plan.startedAt === null ? words.neverBegan : words.began(<Time at={plan.startedAt} />)}
        </span>
      </span>
    </Row>
  )
}
