/** The fifth step: one real piece of work, followed here until the first approved call has run. */

import type { ActionProgress, FirstAction, Onboarding } from '@countersign/contract'
import { useState } from 'react'
import { ApprovalCard } from '../../deciding/card.tsx'
import { useChange, useGateway } from '../../environment/queries.ts'
import {
  Button,
  ButtonLink,
  Loaded,
  Safe,
  Sheet,
  Skeleton,
  Stamp,
  TierChip,
  useNotify,
} from '../../kit/index.ts'
import { words } from '../../words/setup.tsx'
import { CardDecision } from './card-decision.tsx'
import { CoachMarks } from './coach-marks.tsx'
import { type StepFlow, useStepFlow } from './flow.ts'
import { OptionCards } from './option-cards.tsx'
import { StepFrame } from './step-frame.tsx'

export function ActionPanel({ view }: { view: Onboarding }) {
  const flow = useStepFlow(view, 'action')
  const { progress } = flow.step.data
  const [again, setAgain] = useState(false)
  if (progress === null || progress.state === 'ended' || again)
    return <Choosing flow={flow} ended={again ? null : progress} onBegun={() => setAgain(false)} />
  if (progress.state === 'waiting' && progress.approval !== null)
    return <Waiting flow={flow} approval={progress.approval.id} />
  if (progress.ran !== null) return <Ran flow={flow} progress={progress} onAgain={() => setAgain(true)} />
  return (
    <StepFrame {...frameOf(flow)} onContinue={null}>
      <Sheet>
        <p role="status">{words.action.working}</p>
        <Skeleton rows={2} className="mt-4" />
      </Sheet>
    </StepFrame>
  )
}

type Flow = StepFlow<'action'>

function frameOf({ step, busy, problem, back, skip }: Flow) {
  return { step, busy, problem, back, onSkip: skip }
}

function Choosing({
  flow,
  ended,
  onBegun,
}: {
  flow: Flow
  ended: ActionProgress | null
  onBegun: () => void
}) {
  const { choices } = flow.step.data
  const [picked, setPicked] = useState<FirstAction>(choices[0]?.action ?? 'tidy')
  const chosen = choices.find(({ action }) => action === picked)
  return (
    <StepFrame
      {...frameOf(flow)}
      onContinue={() => flow.answer({ action: picked }, onBegun)}
      continueLabel={words.action.begin}
    >
      {ended === null ? null : (
        <p role="status" className="mb-4 max-w-prose text-t2">
          <Safe text={ended.problem ?? ''} />
        </p>
      )}
      <OptionCards
        label={words.action.what}
        value={picked}
        onChange={setPicked}
        options={choices.map(({ action, title, tier, about, needs, asks }) => ({
          value: action,
          title: (
            <>
              <TierChip tier={tier} />
              <span className="mt-1 block">{title}</span>
            </>
          ),
          about: (
            <>
              {about} {needs}
            </>
          ),
          foot: words.action.asks(asks),
        }))}
      />
      {chosen === undefined ? null : (
        <div className="mt-5 max-w-prose">
          <h3>{words.action.told}</h3>
          <p className="mt-1 border-s-2 border-line-strong ps-3 text-ink-2">{chosen.text}</p>
        </div>
      )}
    </StepFrame>
  )
}

function Waiting({ flow, approval }: { flow: Flow; approval: string }) {
  const query = useGateway(['approvals', approval], (client) => client.approval(approval))
  return (
    <StepFrame
      {...frameOf(flow)}
      onContinue={null}
      {...(query.data === undefined ? {} : { bar: <CardDecision approval={query.data.approval} /> })}
    >
      <CoachMarks />
      <Loaded query={query}>
        {(detail) => (
          <ApprovalCard approval={detail.approval} detail={detail} replaced={undefined} onExtend={null} />
        )}
      </Loaded>
    </StepFrame>
  )
}

function Ran({ flow, progress, onAgain }: { flow: Flow; progress: ActionProgress; onAgain: () => void }) {
  const notify = useNotify()
  const undo = useChange((client, run: string) => client.undoRun(run))
  const { ran, run } = progress
  if (ran === null) return null
  return (
    <StepFrame {...frameOf(flow)} onContinue={flow.forward}>
      <Sheet className="flex items-start gap-4 p-5">
        <Stamp size={30} className="mt-0.5" />
        <div>
          <h3 className="text-large text-ink">{words.action.done}</h3>
          <p className="mt-1">
            <Safe text={ran.summary} />
          </p>
          <p className="mt-1 text-small text-ink-3">
            <TierChip tier={ran.tier} /> <Safe text={ran.headline} />
          </p>
          <div className="mt-4 flex flex-wrap gap-2">
            {run === null ? null : (
              <ButtonLink to={`/ledger?q=${encodeURIComponent(`run:${run}`)}`}>
                {words.action.ledger}
              </ButtonLink>
            )}
            <ButtonLink to={`/chat/${progress.session}`}>{words.action.conversation}</ButtonLink>
            {ran.undoable && run !== null ? (
              <Button
                variant="quiet"
                busy={undo.isPending}
                onClick={() =>
                  undo.mutate(run, {
                    onSuccess: ({ calls, ledger }) =>
                      notify({
                        text: words.action.undoing(calls, ledger),
                      }),
                    onError: (error) => notify({ text: error.message, tone: 'bad' }),
                  })
                }
              >
                {words.action.undo}
              </Button>
            ) : null}
            <Button variant="quiet" onClick={onAgain}>
              {words.action.another}
            </Button>
          </div>
        </div>
      </Sheet>
    </StepFrame>
  )
}
