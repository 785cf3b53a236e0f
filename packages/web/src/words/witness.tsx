/** What is said of those who witness the ledger, and of its alarm. */
import type { ReactNode } from 'react'
import { inLanguage } from '../language/current.ts'
import { plural } from '../language/plural.ts'

export const words = inLanguage('witness', {
  banner: {
    title: 'The ledger is not the one that was seen before.',
    here: (reason: ReactNode) => <>This browser noticed: {reason}.</>,
    stopped: 'Nothing runs now except what only looks.',
    careful: 'Do not approve anything until you know why.',
    open: 'Open Health',
  },
  title: 'Witnesses of the ledger',
  about: 'Each device remembers the ledger it saw and notices if it is cut or rewritten.',
  none: 'No device has witnessed the ledger yet, so a cut tail would not be noticed.',
  columns: { saw: 'saw', behind: 'behind' },
  kinds: { device: 'device', node: 'computer', log: 'elsewhere' },
  entries: (count: number) => plural(count, { one: '# entry', other: '# entries' }),
  upToDate: 'up to date',
  alarm: (witness: ReactNode, size: number) => (
    <>
      {witness} saw {plural(size, { one: '# entry', other: '# entries' })} that this ledger does not have.
    </>
  ),
  means:
    'Either the database was restored from a backup, or somebody with the gateway’s key wrote another history.',
  accept: 'Accept the ledger as it is',
  accepting: {
    title: 'Accept the ledger as it is now?',
    about:
      'Calls run again, and this browser believes the ledger as it is now. What was only in the other history stays lost. Do this only if you know why it differs.',
    yes: 'Accept and continue',
    no: 'Leave it stopped',
  },
  accepted: 'Accepted. Calls run again.',
})
