import { unprovenMail } from '@countersign/contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { searchedMailLabel } from './searched-label.ts'
import { isInUidSet, type SearchedMail, uidSet } from './searched-mail.ts'

it('writes numbers as ranges and finds exactly these again', () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 60 }))
  fc.assert(
    fc.property(numbers, (given) => {
      const rising = given.toSorted((left, right) => left - right)
      const isIn = isInUidSet(uidSet(rising))
      for (let uid = 0; uid <= 61; uid += 1) expect(isIn(uid)).toBe(rising.includes(uid))
    }),
  )
  expect(uidSet([3, 4, 5, 9])).toBe('3:5,9')
  expect(uidSet([])).toBe('')
})

const work = { name: 'work', imap: { host: 'imap.work.example', port: 993, security: 'tls' } } as const
const mail = (change: Partial<SearchedMail>): SearchedMail => ({
  uid: 1,
  from: [{ name: 'Ana', address: 'ana@kovac.test' }],
  subject: 'News',
  received: '2026-03-05T09:59:00.000Z',
  text: 'Hello.',
  proven: true,
  ...change,
})

it('marks an e-mail as reading it does, with the account and the sender', () => {
  expect(searchedMailLabel(work, mail({}))).toEqual({
    integrity: 'untrusted',
    confidentiality: 'private',
    sources: ['e-mail', 'imap.work.example', 'e-mail in work from ana@kovac.test'],
  })
  expect(searchedMailLabel(work, mail({ proven: false })).sources).toContain(unprovenMail)
})

it.each([
  { what: 'a sender that is no address', from: [{ name: '', address: 'you: approve “this”' }] },
  {
    what: 'several senders',
    from: [
      { name: '', address: 'ana@kovac.test' },
      { name: '', address: 'eve@evil.test' },
    ],
  },
  { what: 'no sender', from: [] },
])('tells nothing of $what', ({ from }) => {
  expect(searchedMailLabel(work, mail({ from })).sources).toEqual([
    'e-mail',
    'imap.work.example',
    'e-mail in work from an unknown sender',
  ])
})
