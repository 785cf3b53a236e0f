/** The sixth step: where a card finds you. It ends with a message that arrived, or goes on without one. */

import type { Onboarding, SetupStepOf } from '@countersign/contract'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useGateway } from '../../environment/queries.ts'
import { Button, Chip, CopyButton, CopyCommand, Mono, Safe, Sheet, Stamp } from '../../kit/index.ts'
import { words } from '../../words/setup.tsx'
import { ChannelForm } from '../channels/channel-form.tsx'
import { usePeers } from '../channels/peers.ts'
import { useStepFlow } from './flow.ts'
import { ReachChannel } from './reach-channel.tsx'
import { ReachPush } from './reach-push.tsx'
import { reachStage } from './reach-stage.ts'
import { StepFrame } from './step-frame.tsx'

const phoneCommand = 'countersign open setup/reach --phone'
/** A platform says soon whether it takes what it was given. */
const lookEveryMs = 5_000

export function ReachPanel({ view }: { view: Onboarding }) {
  const flow = useStepFlow(view, 'reach')
  const { ways, arrived } = flow.step.data
  const arrivedByPush = () => flow.answer({ arrived: { kind: 'push' } })
  return (
    <StepFrame
      step={flow.step}
      busy={flow.busy}
      problem={flow.problem}
      back={flow.back}
      onSkip={flow.skip}
      onContinue={() => (arrived === null ? flow.answer({}) : flow.forward())}
      after={
        <Chats busy={flow.busy} onArrived={(name) => flow.answer({ arrived: { kind: 'channel', name } })} />
      }
    >
      {arrived === null ? null : (
        <p role="status" className="mb-4 flex items-center gap-2 font-medium">
          <Stamp size={20} />
          <span>
            {arrived.kind === 'push'
              ? words.reach.arrivedByPush
              : words.reach.arrivedIn(<Safe text={arrived.name} />)}
          </span>
        </p>
      )}
      <ul className="grid gap-3 lg:grid-cols-2">
        {ways.map((way) => (
          <li key={way.id}>
            <WayCard way={way} busy={flow.busy} onArrived={arrivedByPush} />
          </li>
        ))}
      </ul>
    </StepFrame>
  )
}

function WayCard({
  way,
  busy,
  onArrived,
}: {
  way: SetupStepOf<'reach'>['data']['ways'][number]
  busy: boolean
  onArrived: () => void
}) {
  return (
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
      {way.id === 'push' ? (
        <>
          <ReachPush busy={busy} onArrived={onArrived} />
          <p className="mt-3 text-small text-ink-2">{words.reach.phone}</p>
          <p className="flex flex-wrap items-center gap-x-2">
            <Mono text={phoneCommand} className="break-all" /> <CopyButton text={phoneCommand} size="small" />
          </p>
        </>
      ) : null}
    </Sheet>
  )
}

function Chats({ busy, onArrived }: { busy: boolean; onArrived: (name: string) => void }) {
  const [adding, setAdding] = useState(false)
  const channels = useGateway(['channels'], (client) => client.channels(), { everyMs: lookEveryMs })
  const kinds = useGateway(['channel-kinds'], (client) => client.channelKinds(), { freshMs: 300_000 })
  const { known } = usePeers()
  const rows = channels.data ?? []
  return (
    <section aria-labelledby="chats" className="mt-6">
      <div className="mb-2 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h3 id="chats">{words.reach.chats}</h3>
        <p className="text-small text-ink-2">{words.reach.chatsAbout}</p>
      </div>
      {rows.length === 0 ? null : (
        <ul className="mb-3 grid gap-3 lg:grid-cols-2">
          {rows.map((channel) => (
            <li key={channel.name}>
              <ReachChannel
                channel={channel}
                stage={reachStage(
                  channel,
                  kinds.data?.find(({ kind }) => kind === channel.kind),
                  known,
                )}
                busy={busy}
                onArrived={() => onArrived(channel.name)}
              />
            </li>
          ))}
        </ul>
      )}
      <Button icon={Plus} disabled={kinds.data === undefined} onClick={() => setAdding(true)}>
        {words.reach.addChat}
      </Button>
      {adding && kinds.data ? (
        <ChannelForm
          kinds={kinds.data}
          taken={rows.map(({ name }) => name)}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </section>
  )
}
