/** The sixth step: where a card finds you. It says what there is; each way is switched on in its own place. */
import type { Onboarding } from '@countersign/contract'
import { ButtonLink, Chip, Safe, Sheet } from '../../kit/index.ts'
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
                  {way.state === 'ready' ? 'Ready' : 'Off'}
                </Chip>
              </div>
              <p className="mt-1 text-ink-2">
                <Safe text={way.about.replaceAll('`', '')} />
              </p>
              <p className="mt-2 text-small text-ink-2">
                <span className="font-medium">May decide:</span> <Safe text={way.approves} />
              </p>
              {way.id === 'push' && way.state !== 'ready' ? (
                <ButtonLink to="/settings" className="mt-3">
                  Switch it on in Settings
                </ButtonLink>
              ) : null}
            </Sheet>
          </li>
        ))}
      </ul>
    </StepFrame>
  )
}
