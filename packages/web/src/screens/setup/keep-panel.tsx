/** The seventh step: a service and completions. A page cannot install a program, so it says where that is done. */

import type { Onboarding } from '@countersign/contract'
import { CopyButton, CopyCommand, SafeBlock, Sheet } from '../../kit/index.ts'
import { words } from '../../words/setup.tsx'
import { useStepFlow } from './flow.ts'
import { StepFrame } from './step-frame.tsx'

export function KeepPanel({ view }: { view: Onboarding }) {
  const flow = useStepFlow(view, 'keep')
  const { data } = flow.step
  return (
    <StepFrame
      step={flow.step}
      busy={flow.busy}
      problem={flow.problem}
      back={flow.back}
      onSkip={flow.skip}
      onContinue={() => flow.answer({})}
    >
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <Sheet>
          <h3>{words.keep.start}</h3>
          <SafeBlock text={data.preview.replaceAll('`', '')} className="mt-1 text-ink-2" />
          {data.manager === 'none' ? null : <p className="mt-3 text-ink-2">{words.keep.where}</p>}
          <div className="mt-1.5">
            <CopyCommand text={data.command} />
          </div>
        </Sheet>
        <Sheet>
          <details>
            <summary className="target">
              <h3 className="inline">{words.keep.completions}</h3>
            </summary>
            <p className="mt-1 text-ink-2">{words.keep.completionsAbout}</p>
            <ul className="mt-3 flex flex-wrap gap-2">
              {data.completions.map(({ shell, command }) => (
                <li key={shell}>
                  <CopyButton text={command} label={words.keep.copyFor(shell)} />
                </li>
              ))}
            </ul>
          </details>
        </Sheet>
      </div>
    </StepFrame>
  )
}
