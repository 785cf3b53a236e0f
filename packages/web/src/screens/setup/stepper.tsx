/** The steps as an ordered list, each with its state in words. On a phone it folds to where one is. */

import type { Onboarding, SetupState, SetupStepId } from '@countersign/contract'
import { Check, Minus } from 'lucide-react'
import { useRoute } from '../../environment/route.ts'
import { classes, PlainLink, useIsNarrow } from '../../kit/index.ts'
import { words } from '../../words/setup.tsx'

export function Stepper({ view, current }: { view: Onboarding; current: SetupStepId | null }) {
  const narrow = useIsNarrow()
  const at = view.steps.findIndex(({ id }) => id === current)
  const list = <StepList view={view} current={current} />
  if (!narrow)
    return (
      <>
        <p className="mt-1 mb-3 text-small text-ink-2">{words.steps.settledOf(view.settled, view.total)}</p>
        {list}
      </>
    )
  return (
    <details className="mt-2">
      <summary className="target flex cursor-default items-center gap-2 text-small text-ink-2">
        <span className="font-medium text-ink">
          {at === -1 ? words.steps.all : words.steps.at(at + 1, view.total)}
        </span>
        <span>{words.steps.settled(view.settled)}</span>
      </summary>
      <div className="mt-2">{list}</div>
    </details>
  )
}

function StepList({ view, current }: { view: Onboarding; current: SetupStepId | null }) {
  const { href } = useRoute()
  return (
    <ol className="space-y-0.5">
      {view.steps.map(({ id, title, state }, route) => (
        <li key={id}>
          <PlainLink
            to={href([id])}
            {...(id === current ? { 'aria-current': 'true' as const } : {})}
            className={classes(
              'target flex items-center gap-3 rounded-1 px-2 py-1.5 no-underline',
              id === current ? 'bg-sheet font-medium shadow-1' : 'text-ink-2 hover:bg-ink/5',
            )}
          >
            <Mark state={state} route={route + 1} />
            <span className="min-w-0 flex-1">{title}</span>
            <span className={classes('text-small', state === 'done' ? 'text-ok' : 'text-ink-3')}>
              {words.steps.states[state]}
            </span>
          </PlainLink>
        </li>
      ))}
    </ol>
  )
}

function Mark({ state, route }: { state: SetupState; route: number }) {
  const Icon = state === 'done' ? Check : state === 'skipped' ? Minus : null
  return (
    <span
      aria-hidden
      className={classes(
        'grid size-5 shrink-0 place-items-center rounded-full border text-small leading-none tabular-nums',
        state === 'done' ? 'border-ok text-ok' : 'border-line-strong text-ink-3',
      )}
    >
      {Icon === null ? route : <Icon size={12} strokeWidth={2.5} />}
    </span>
  )
}
