/** The first step: what the gateway stands on. Three plain stages, with the evidence in a fold. */

import type { Onboarding, SetupFinding } from '@countersign/contract'
import { CircleAlert, CircleCheck, CircleX } from 'lucide-react'
import { classes, Safe, Sheet } from '../../kit/index.ts'
import { words } from '../../words/setup.tsx'
import { useStepFlow } from './flow.ts'
import { StepFrame } from './step-frame.tsx'

const stages: readonly { readonly title: string; readonly ids: readonly SetupFinding['id'][] }[] = [
  { title: words.check.stages.room, ids: ['disk', 'clock'] },
  { title: words.check.stages.walls, ids: ['sandbox', 'keys'] },
  { title: words.check.stages.service, ids: ['service'] },
]

const findingStyles = {
  ok: { icon: CircleCheck, ink: 'text-ok', word: words.check.ok },
  warning: { icon: CircleAlert, ink: 'text-t2', word: words.check.warning },
  error: { icon: CircleX, ink: 'text-bad', word: words.check.error },
} as const

export function CheckPanel({ view }: { view: Onboarding }) {
  const flow = useStepFlow(view, 'check')
  const { findings } = flow.step.data
  return (
    <StepFrame
      step={flow.step}
      busy={flow.busy}
      problem={flow.problem}
      back={flow.back}
      onSkip={flow.skip}
      onContinue={() => flow.answer({})}
    >
      <Sheet padded={false}>
        <ul className="divide-y divide-line">
          {stages.map(({ title, ids }) => (
            <Stage key={title} title={title} findings={findings.filter(({ id }) => ids.includes(id))} />
          ))}
        </ul>
      </Sheet>
    </StepFrame>
  )
}

function Stage({ title, findings }: { title: string; findings: readonly SetupFinding[] }) {
  const worst = (['error', 'warning'] as const).find((each) =>
    findings.some(({ severity }) => severity === each),
  )
  const { icon: Icon, ink, word } = findingStyles[worst ?? 'ok']
  return (
    <li className="px-4 py-3">
      <p className="flex items-center gap-2.5">
        <Icon size={18} aria-hidden className={ink} />
        <span className="font-medium">{title}</span>
        <span className={classes('text-small', ink)}>{word}</span>
      </p>
      {findings
        .filter(({ fix }) => fix !== '')
        .map(({ id, fix }) => (
          <p key={id} className="mt-1 ps-7 text-small text-ink-2">
            <Safe text={fix.replaceAll('`', '')} />
          </p>
        ))}
      <details className="mt-1 ps-7">
        <summary className="target cursor-default text-small text-ink-3">{words.check.details}</summary>
        <dl className="mt-1 grid grid-cols-[minmax(5rem,auto)_1fr] gap-x-4 gap-y-1 text-small">
          {findings.map(({ id, title: name, evidence }) => (
            <div key={id} className="contents">
              <dt className="text-ink-3">{name}</dt>
              <dd className="min-w-0 break-words">
                <Safe text={evidence} />
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </li>
  )
}
