/** What every step stands in: its heading, which takes the focus; its problem in words; and the way back and on. */

import type { SetupStep } from '@countersign/contract'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useKeys } from '../../environment/keys.tsx'
import { Button, DecisionBar, ErrorState } from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/setup.tsx'

export interface StepFrameProps {
  readonly step: Pick<SetupStep, 'id' | 'title' | 'about' | 'skippable' | 'state'>
  readonly busy: boolean
  readonly problem: Error | null
  readonly back: (() => void) | null
  readonly onSkip: () => void
  /** Null while there is nothing to go on with. */
  readonly onContinue: (() => void) | null
  readonly continueLabel?: string
  /** In the place of the buttons, as the decision about a card. */
  readonly bar?: ReactNode
  readonly children: ReactNode
  /** What has forms of its own, outside of that of the step. */
  readonly after?: ReactNode
}

export function StepFrame(props: StepFrameProps) {
  const { step, busy, problem, back, onContinue, onSkip, continueLabel = words.continue, bar } = props
  const heading = useFocusedHeading()
  useKeys(words.title, [
    { keys: 'mod+enter', label: continueLabel, run: () => (busy ? undefined : onContinue?.()) },
    { keys: 'mod+arrowleft', label: common.back, run: () => back?.() },
  ])
  return (
    <div className="flex flex-1 flex-col md:min-h-dvh">
      <div className="flex-1 px-4 pt-6 pb-10 md:px-6 md:pt-12 lg:px-8">
        <div className="max-w-[60rem]">
          <h2 ref={heading} tabIndex={-1} className="text-title outline-none">
            {step.title}
          </h2>
          <p className="mt-1 max-w-prose text-ink-2">{step.about}</p>
          <form
            className="mt-6"
            onSubmit={(event) => {
              event.preventDefault()
              if (!busy) onContinue?.()
            }}
          >
            {props.children}
          </form>
          {props.after}
          {problem === null ? null : <ErrorState error={problem} className="mt-5" />}
        </div>
      </div>
      <DecisionBar>
        {bar ?? (
          <>
            {back === null ? null : (
              <Button variant="quiet" icon={ArrowLeft} keys="mod+arrowleft" className="-ms-3" onClick={back}>
                {common.back}
              </Button>
            )}
            <span className="flex-1" />
            {step.skippable && step.state === 'todo' ? (
              <Button variant="quiet" busy={busy} onClick={onSkip}>
                {words.skip}
              </Button>
            ) : null}
            <Button
              variant="go"
              keys="mod+enter"
              busy={busy}
              disabled={onContinue === null}
              onClick={() => onContinue?.()}
            >
              {continueLabel}
            </Button>
          </>
        )}
      </DecisionBar>
    </div>
  )
}

/** Each step begins at its heading. */
function useFocusedHeading(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [])
  return heading
}
