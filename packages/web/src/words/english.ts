/** Owns the list of catalogues, by the names under which translations have them. Types only: a screen fetches its own. */
import type { Translation } from '../language/current.ts'
import type { words as approvals } from './approvals.tsx'
import type { words as chat } from './chat.tsx'
import type { words as common } from './common.ts'
import type { words as deciding } from './deciding.ts'
import type { words as frame } from './frame.tsx'
import type { words as pair } from './pair.tsx'
import type { words as today } from './today.tsx'

export type English = {
  readonly approvals: Translation<typeof approvals>
  readonly common: Translation<typeof common>
  readonly deciding: Translation<typeof deciding>
  readonly frame: Translation<typeof frame>
  readonly pair: Translation<typeof pair>
  readonly today: Translation<typeof today>
  readonly chat: Translation<typeof chat>
}
