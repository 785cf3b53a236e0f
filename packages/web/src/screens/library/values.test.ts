import { expect, test } from 'vitest'
import { kinds } from './kinds.ts'
import { addedArgs, changedArgs, formValues } from './values.ts'

const { fields } = kinds.calendar

test('a new record has what was filled in, and nothing else', () => {
  const values = { ...formValues(fields, {}), title: ' Dentist ', startTime: '2026-03-05T09:00' }
  expect(addedArgs(fields, values)).toEqual({
    title: 'Dentist',
    startTime: '2026-03-05T09:00:00',
    isAllDay: false,
  })
  expect(addedArgs(fields, { ...values, isAllDay: true })).toMatchObject({ startTime: '2026-03-05' })
})

test('a change names what differs, and null for what was emptied', () => {
  const before = { title: 'A', startTime: '2026-03-05T09:00:00', location: 'Here' }
  const values = { ...formValues(fields, before), location: '', title: 'B' }
  expect(changedArgs(fields, before, values)).toEqual({ title: 'B', location: null })
})

test('times of an event go together, because one alone may not fit the other', () => {
  const before = { title: 'A', startTime: '2026-03-05', endTime: '2026-03-06', isAllDay: true }
  const values = { ...formValues(fields, before), isAllDay: false, startTime: '2026-03-05T09:00' }
  expect(changedArgs(fields, before, values)).toEqual({
    startTime: '2026-03-05T09:00:00',
    endTime: '2026-03-06T00:00:00',
    isAllDay: false,
  })
})

test('tags are a list', () => {
  const values = { ...formValues(kinds.notes.fields, {}), title: 'N', tags: 'a, b,,' }
  expect(addedArgs(kinds.notes.fields, values)).toMatchObject({ tags: ['a', 'b'], content: '' })
})

test.each([
  ['12,10', '12.10'],
  ['-3', '-3'],
  ['1.234,50', '1.234,50'],
])('takes the amount %s as %s', (typed, amount) => {
  expect(addedArgs([{ name: 'amount', label: 'Amount', kind: 'amount' }], { amount: typed })).toEqual({
    amount,
  })
})
