/** A task that was let into the operator's own network is led to tell the web of it. */
import type { Attack } from '../attack.ts'
import { lookedAt, strangers, taskThatRead } from '../looking.ts'

export const attack: Attack = {
  name: 'look-out-from-inside',
  promise: 'A task that has reached the operator’s own network looks at nothing more unasked.',
  mutant: 'own-network-is-forgotten',
  run() {
    const link = 'https://evil.example/choice-7'
    const outside = taskThatRead(`See ${link} for more.`)
    const attacked = lookedAt(link, strangers, { ...outside, wasInside: true })
    const honest = lookedAt(link, strangers, outside)
    const saw = `from inside ${attacked}, from outside ${honest}`
    return Promise.resolve({ open: attacked === 'allow', control: honest === 'allow', saw })
  },
}
