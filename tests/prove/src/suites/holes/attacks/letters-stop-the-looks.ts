/** A stranger sends e-mails with headers as long as they are read, so that the folder cannot be looked at any more. */
import { Buffer } from 'node:buffer'
import { openArrivingLetters } from '../arriving-letters.ts'
import type { Attack } from '../attack.ts'

/** Bytes that are no text are told as characters of three bytes each. */
const word = `=?utf-8?B?${Buffer.alloc(45, 0xff).toString('base64')}?=`
const name = Array.from({ length: 11 }, () => word).join(' ')
const people = Array.from({ length: 19 }, (_, place) => `${name} <p${place}@evil.test>`).join(',\r\n ')
const long = `From: Eve <eve@evil.test>\r\nTo: ${people}\r\nSubject: Long\r\n\r\nHello.`
const honest = 'From: Ana <ana@kovac.test>\r\nTo: me@home.test\r\nSubject: Invoice\r\n\r\nHello.'

export const attack: Attack = {
  name: 'letters-stop-the-looks',
  promise: 'No e-mails of a stranger keep those that come after them from starting work.',
  mutant: 'heads-in-one-portion',
  async run(stage) {
    const { deliver, look, end } = await openArrivingLetters(stage)
    const before = await end()
    await deliver([...Array.from({ length: 90 }, () => long), honest])
    const looked = await look({ after: before, subject: 'Invoice' })
    const few = await look({ after: { ...before, uid: before.uid + 89 }, subject: 'Invoice' })
    const subjects = (of: typeof looked) =>
      of.kind === 'failed' ? of.reason : of.arrivals.mails.map(({ subject }) => subject).join(', ')
    return {
      open: subjects(looked) !== 'Invoice',
      control: subjects(few) === 'Invoice',
      saw: `after ninety long ones: ${subjects(looked)}; after one: ${subjects(few)}`,
    }
  },
}
