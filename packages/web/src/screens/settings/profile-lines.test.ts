import { expect, test } from 'vitest'
import { withAnswers } from './profile-lines.ts'

const known = {
  name: 'Ana',
  facts: ['Lives in Split'],
  interests: [],
  instructions: ['Be short.'],
  autonomy: 'low' as const,
}

test('what the form does not show stays as it was', () => {
  expect(
    withAnswers(known, { name: ' Mira ', style: '', instructions: 'Be short.\n\n  Use metres. ' }),
  ).toEqual({
    name: 'Mira',
    facts: ['Lives in Split'],
    interests: [],
    instructions: ['Be short.', 'Use metres.'],
    autonomy: 'low',
  })
})

test('an emptied name is no name', () => {
  expect(withAnswers(known, { name: '  ', style: 'dry', instructions: '' })).toEqual({
    facts: ['Lives in Split'],
    interests: [],
    instructions: [],
    autonomy: 'low',
    communicationStyle: 'dry',
  })
})
