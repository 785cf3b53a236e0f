import { expect, test } from 'vitest'
import { fitsList, withAnswers } from './profile-lines.ts'

const known = {
  name: 'Ana',
  facts: ['Lives in Split'],
  interests: [],
  preferences: ['No meat'],
  instructions: ['Be short.'],
  autonomy: 'low' as const,
}
const nothing = { facts: '', preferences: '', interests: '', instructions: '' }

test('each line is an entry, and what the form does not show stays as it was', () => {
  expect(
    withAnswers(known, {
      name: ' Mira ',
      style: '',
      facts: 'Lives in Split\nTwo children',
      preferences: ' No meat \n\n Window seat',
      interests: 'boats',
      instructions: 'Be short.\n\n  Use metres. ',
    }),
  ).toEqual({
    name: 'Mira',
    facts: ['Lives in Split', 'Two children'],
    preferences: ['No meat', 'Window seat'],
    interests: ['boats'],
    instructions: ['Be short.', 'Use metres.'],
    autonomy: 'low',
  })
})

test('an emptied name is no name, and an emptied list none', () => {
  expect(withAnswers(known, { name: '  ', style: 'dry', ...nothing })).toEqual({
    facts: [],
    interests: [],
    instructions: [],
    autonomy: 'low',
    communicationStyle: 'dry',
  })
})

test('a list fits with so many lines of such a length', () => {
  expect(fitsList('preferences', 'x\n'.repeat(30))).toBe(true)
  expect(fitsList('preferences', 'x\n'.repeat(31))).toBe(false)
  expect(fitsList('interests', 'x'.repeat(101))).toBe(false)
})
