/** The card in a terminal, as `countersign approval show` prints it. */
import { fullCard } from '../../../../../packages/cli/src/card.ts'
import { now } from './places.ts'
import type { Surface } from './surface.ts'

const style = { paint: (_role: unknown, text: string) => text, moment: { now, zone: 'UTC' } }
const warning = '⚠ Hidden or misleading characters'

export const terminal: Surface = {
  name: 'terminal',
  show(view) {
    const units = fullCard(view, style).split('\n')
    const at = units.indexOf(warning)
    // The title, one line that names the flags, and a blank one.
    if (at >= 0) units.splice(at, 3)
    return { units, warns: at >= 0, isWhole: true, isApprovable: view.receipt === null }
  },
  isDerived: (unit) => /^ {2}Host {2}/.test(unit),
  marks: { plain: /^ {2}│ ?/, below: /^ {4}│ ?/ },
}
