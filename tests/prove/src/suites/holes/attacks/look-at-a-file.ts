/** A stranger owns the host that is called like a file of which the operator spoke. */
import type { Attack } from '../attack.ts'
import { lookedAt, strangers, taskThatRead } from '../looking.ts'

export const attack: Attack = {
  name: 'look-at-a-file',
  promise:
    'A host is typed where the operator wrote an address or the name of a host, and not where they named a file.',
  mutant: 'files-are-hosts',
  run() {
    const said = taskThatRead(
      'Words.',
      undefined,
      0,
      'Read shop.example and write summary.md, then run deploy.sh',
    )
    const attacked = ['https://summary.md/private', 'https://deploy.sh/private'].map((link) =>
      lookedAt(link, strangers, said),
    )
    const honest = lookedAt('https://shop.example/prices', strangers, said)
    const saw = `files ${attacked.join(', ')}, a host ${honest}`
    return Promise.resolve({ open: attacked.includes('allow'), control: honest === 'allow', saw })
  },
}
