/** The sixth step: where a card finds you. It says what there is; each way is switched on in its own place. */

import type { Onboarding } from '@countersign/contract'
import { ButtonLink, Chip, CopyCommand, Safe, Sheet } from '../../kit/index.ts'
import { words } from '../../words/setup.tsx'
import { useStepFlow } from './flow.ts'
import { StepFrame } from './step-frame.tsx'

export function ReachPanel({ view }: { view: Onboarding }) {
  const flow = useStepFlow(view, 'reach')
  return (
    <StepFrame
      step={flow.step}
      busy={flow.busy}
      problem={flow.problem}
      back={flow.back}
      onSkip={flow.skip}
      onContinue={() => flow.answer({})}
    >
      <ul className="grid gap-3 lg:grid-cols-2">
        {flow.step.data.ways.map((way) => (
          <li key={way.id}>
            <Sheet className="h-full">
              <div className="flex items-start justify-between gap-3">
                <h3>
                  <Safe text={way.title} />
                </h3>
                <Chip tone={way.state === 'ready' ? 'ok' : 'plain'}>
                  {way.state === 'ready' ? words.reach.ready : words.reach.off}
                </Chip>
              </div>
              <p className="mt-1 text-ink-2">
                <Safe text={way.about} />
              </p>
              <p className="mt-2 text-small text-ink-2">
                <span className="font-medium">{words.reach.mayDecide}</span> <Safe text={way.approves} />
              </p>
              {way.command === undefined ? null : (
                <div className="mt-2">
                  <CopyCommand text={way.command} />
                </div>
              )}
              {way.id === 'push' && way.state !== 'ready' ? (
                <ButtonLink to="/settings" className="mt-3">
                  {words.reach.switchOn}
                </ButtonLink>
              ) : null}
            </Sheet>
          </li>
        ))}
      </ul>
    </StepFrame>
  )
}
