/** The German translation, whole: a catalogue that is missing here, or has a key too few or too many, does not compile. */
import type { English } from '../english.ts'
import { approvals } from './approvals.tsx'
import { chat } from './chat.tsx'
import { common } from './common.ts'
import { deciding } from './deciding.ts'
import { frame } from './frame.tsx'
import { pair } from './pair.tsx'
import { today } from './today.tsx'

export const german: English = {
  approvals,
  common,
  deciding,
  frame,
  pair,
  today,
  chat,
}
