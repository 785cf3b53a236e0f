import { idFrom } from '@countersign/contract'
import { expect, test } from 'vitest'
import { digestOf, messageOf } from './message.ts'
import { pushWords } from './words/index.ts'

const asked = {
  type: 'question.asked',
  session: idFrom('ses', '1'.repeat(32)),
  run: idFrom('run', '2'.repeat(32)),
  question: idFrom('q', '3'.repeat(32)),
  text: 'A model wrote this.',
} as never

test('says the same in each language and opens the same place', () => {
  const [english, german] = [messageOf(asked, pushWords.en), messageOf(asked, pushWords.de)]
  expect(english?.title).toBe('The agent has a question')
  expect(german?.title).toBe('Der Agent hat eine Frage')
  expect(german?.url).toBe(english?.url)
  expect(JSON.stringify([english, german])).not.toContain('A model wrote')
})

test('counts as the language does', () => {
  expect([1, 2].map((count) => digestOf(count, pushWords.en).title)).toEqual([
    '1 item is waiting for you',
    '2 items are waiting for you',
  ])
  expect([1, 2].map((count) => digestOf(count, pushWords.de).title)).toEqual([
    '1 Vorgang wartet auf dich',
    '2 Vorgänge warten auf dich',
  ])
})
