/** Shows how an extension stands, in a word. */
import { Chip, type Tone } from '../../kit/index.ts'
import { words } from '../../words/extensions.tsx'
import type { State } from './rows.ts'

const tones: Readonly<Record<State, Tone>> = {
  on: 'ok',
  paused: 'plain',
  changed: 'bad',
  untrue: 'bad',
  unreviewed: 'waiting',
  unasked: 'waiting',
  noTools: 'plain',
}

export function StateChip({ state }: { state: State }) {
  return <Chip tone={tones[state]}>{words.states[state]}</Chip>
}
