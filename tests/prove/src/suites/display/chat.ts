/** The card as a message of a chat. */
import { chatCard } from '@countersign/contract'
import { now } from './places.ts'
import type { Surface } from './surface.ts'

const warning = '⚠ It holds hidden or misleading characters.'
/** What the narrowest chat takes in one message. */
const longestMessage = 4_096

/** An argument of which only the beginning is shown. */
const folded = /^│ .*… \(\d+ characters\)$/

export const chat: Surface = {
  name: 'chat',
  show(view) {
    const message = chatCard(view, { now, review: 'https://house.example/approvals/K7Q2' })
    const units = message.split('\n')
    // Ours is the third line; the same words further down are somebody else's.
    const warns = units[2] === warning
    if (warns) units.splice(2, 1)
    const ours = units.filter((unit) => !unit.startsWith('│ '))
    return {
      units,
      warns,
      isWhole:
        message.length <= longestMessage &&
        !ours.some((unit) => unit.endsWith(' to read first.')) &&
        !units.some((unit) => folded.test(unit)),
      isApprovable: units.at(-1)?.startsWith('Reply “approve K7Q2”') ?? false,
    }
  },
  isDerived: (unit) => unit.startsWith('│ Host: ') || unit.startsWith('Touches: '),
  marks: { plain: /^│ /, below: /^│ │ ?/ },
}
