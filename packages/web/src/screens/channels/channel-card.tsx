/** One channel among the others: how it stands, who is there, and what waits for the person. */
import type { ChannelView } from '@countersign/contract'
import { Pause, Play, Send } from 'lucide-react'
import { Button, Chip, Facts, Link, Safe, Sheet, Time } from '../../kit/index.ts'
import { words } from '../../words/channels.tsx'
import { useChannelActs } from './channel-acts.ts'
import { StateChip } from './channel-state.tsx'

export function ChannelCard({ channel, to, online }: { channel: ChannelView; to: string; online: boolean }) {
  const { name, title, state, problem, account, lastInAt, lastOutAt, choices } = channel
  const acts = useChannelActs(channel)
  return (
    <Sheet className="flex h-full flex-col">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3 className="min-w-0 text-base font-[600] break-words">
          <Link to={to}>
            <Safe text={name} />
          </Link>
        </h3>
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
      <Facts
        className="mt-2"
        rows={[
          [words.account, account === null ? null : <Safe key="account" text={account.name} />],
          [words.lastIn, <LastAt key="in" at={lastInAt} />],
          [words.lastOut, <LastAt key="out" at={lastOutAt} />],
        ]}
      />
      <Marks channel={channel} />
      <div className="mt-auto flex flex-wrap gap-2 pt-3">
        <Button
          size="small"
          icon={Send}
          busy={acts.isTesting}
          disabled={!online || choices.paused}
          onClick={acts.test}
        >
          {words.test.do}
        </Button>
        <Button
          size="small"
          icon={choices.paused ? Play : Pause}
          busy={acts.isBusy}
          disabled={!online}
          onClick={acts.togglePause}
        >
          {choices.paused ? words.resume : words.pause}
        </Button>
      </div>
    </Sheet>
  )
}

export function LastAt({ at }: { at: string | null }) {
  return at === null ? <>{words.never}</> : <Time at={at} />
}

function Marks({ channel }: { channel: ChannelView }) {
  const { people, asking, held, unknown, aside } = channel
  return (
    <p className="mt-2 flex flex-wrap gap-1.5 empty:hidden">
      {people === 0 ? null : <Chip>{words.people.count(people)}</Chip>}
      {asking === 0 ? null : <Chip tone="waiting">{words.people.asking(asking)}</Chip>}
      {held === 0 ? null : <Chip tone="waiting">{words.held.short(held)}</Chip>}
      {unknown === 0 ? null : <Chip tone="bad">{words.unknown(unknown)}</Chip>}
      {aside === 0 ? null : <Chip tone="bad">{words.aside(aside)}</Chip>}
    </p>
  )
}
