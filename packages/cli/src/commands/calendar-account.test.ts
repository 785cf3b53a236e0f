import { expect, it } from 'vitest'
import { accountNotes } from './calendar-account.ts'

it('says what is to be known of an account, in the singular for one', () => {
  const none = { asking: 0, conflicts: 0, staysHere: 0, unreadable: 0, problem: null }
  expect(accountNotes(none)).toEqual([])
  expect(accountNotes({ asking: 1, conflicts: 1, staysHere: 1, unreadable: 1, problem: null })).toEqual([
    '1 conflict. See `countersign calendar-account conflicts`.',
    '1 change waits for you. See `countersign approval list`.',
    '1 change stays here, since you denied it.',
    '1 entry cannot be read and stays on the server.',
  ])
  expect(accountNotes({ asking: 2, conflicts: 2, staysHere: 2, unreadable: 2, problem: 'Away.' })).toEqual([
    'Away.',
    '2 conflicts. See `countersign calendar-account conflicts`.',
    '2 changes wait for you. See `countersign approval list`.',
    '2 changes stay here, since you denied them.',
    '2 entries cannot be read and stay on the server.',
  ])
})
