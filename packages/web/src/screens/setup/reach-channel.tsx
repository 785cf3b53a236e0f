/** One channel in the step “Reach me”: the operator lets themselves in, and a test line goes to their chat. */
import type { ChannelView } from '@countersign/contract'
import { Send } from 'lucide-react'
import { useChange } from '../../environment/queries.ts'
import { Button, FormError, Safe, Sheet } from '../../kit/index.ts'
import { words } from '../../words/setup.tsx'
import { AdmitForm } from '../channels/asking.tsx'
import { StateChip } from '../channels/channel-state.tsx'
import { testedChannel } from '../channels/tested.ts'
import { Arrived } from './reach-arrived.tsx'
import type { ReachStage } from './reach-stage.ts'

export function ReachChannel({
  channel,
  stage,
  busy,
  onArrived,
}: {
  channel: ChannelView
  stage: ReachStage
  busy: boolean
  onArrived: () => void
}) {
  const { name, account } = channel
  const test = useChange((client) => testedChannel(client, name), [['channels']])
  const send = () => test.mutate()
  return (
    <Sheet className="h-full">
      <Heading channel={channel} />
      {stage === 'nobody' ? <p className="mt-2 text-ink-2">{words.reach.nobody}</p> : null}
      {stage === 'code' ? (
        <>
          <p className="mt-2 text-ink-2">
            {words.reach.write(account === null ? words.reach.itsAccount : <Safe text={account.name} />)}
          </p>
          <AdmitForm online as="operator" />
        </>
      ) : null}
      {stage === 'ready' && !test.isSuccess ? (
        <Button icon={Send} className="mt-3" busy={test.isPending} onClick={send}>
          {words.reach.sendTest}
        </Button>
      ) : null}
      {test.error === null ? null : <FormError error={test.error} />}
      {test.data?.kind === 'failed' ? (
        <p role="alert" className="mt-2 font-medium text-bad">
          <Safe text={test.data.problem ?? words.reach.notSent} />
        </p>
      ) : null}
      {test.isSuccess ? (
        <Arrived
          isAsked={test.data.kind !== 'failed'}
          note={test.data.kind === 'waiting' ? words.reach.onItsWay : null}
          busy={busy || test.isPending}
          onYes={onArrived}
          onAgain={send}
        />
      ) : null}
    </Sheet>
  )
}

function Heading({ channel: { name, title, state, problem } }: { channel: ChannelView }) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h4 className="min-w-0 font-medium break-words">
          <Safe text={name} />
        </h4>
        <span className="text-small text-ink-3">
          <Safe text={title} />
        </span>
        <span className="ms-auto">
          <StateChip state={state} />
        </span>
      </div>
      {problem === null ? null : (
        <p className="mt-1 text-small font-medium text-bad">
          <Safe text={problem} />
        </p>
      )}
    </>
  )
}
