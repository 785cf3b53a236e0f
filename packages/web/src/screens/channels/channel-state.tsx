/** How a channel stands, in a word with its mark. */
import type { ChannelState } from '@countersign/contract'
import { CircleAlert, CircleCheck, CirclePause, LoaderCircle, type LucideIcon, Unplug } from 'lucide-react'
import { Chip, type Tone } from '../../kit/index.ts'
import { words } from '../../words/channels.tsx'

const marks: Readonly<Record<ChannelState, { readonly icon: LucideIcon; readonly tone: Tone }>> = {
  connected: { icon: CircleCheck, tone: 'ok' },
  connecting: { icon: LoaderCircle, tone: 'waiting' },
  disconnected: { icon: Unplug, tone: 'bad' },
  rejected: { icon: CircleAlert, tone: 'bad' },
  paused: { icon: CirclePause, tone: 'plain' },
}

export function StateChip({ state }: { state: ChannelState }) {
  const { icon: Icon, tone } = marks[state]
  return (
    <Chip tone={tone}>
      <Icon size={13} strokeWidth={2} aria-hidden />
      {words.states[state]}
    </Chip>
  )
}
