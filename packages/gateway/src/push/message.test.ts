import { idFrom } from '@countersign/contract'
import { expect, test } from 'vitest'
import { digestOf, messageOf, occasionOf } from './message.ts'
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

test('says that it is a server that asks, and none of its words', () => {
  const byServer = { ...(asked as object), server: { server: 'booking', tool: 'book', form: {} } } as never
  const [english, german] = [messageOf(byServer, pushWords.en), messageOf(byServer, pushWords.de)]
  expect(english?.title).toBe('A server has a question')
  expect(german?.title).toBe('Ein Server hat eine Frage')
  expect(JSON.stringify([english, german])).not.toMatch(/wrote|booking/)
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

test('a reminder has the title of the event, says when it is late, and comes in quiet hours if it is near', () => {
  const due = {
    type: 'reminder.due',
    event: 'event_1',
    title: 'Dentist',
    start: '2026-03-05T09:00:00',
    startsAt: '2026-03-05T08:00:00.000Z',
    location: 'Main street 1',
    late: false,
    begun: false,
  } as const
  expect(messageOf(due, pushWords.en)).toEqual({
    title: 'Dentist',
    body: 'Begins 2026-03-05 09:00, Main street 1.',
    url: '/',
    tag: 'reminder/event_1',
  })
  expect(messageOf({ ...due, late: true, begun: true }, pushWords.de)?.body).toBe(
    'Begann 2026-03-05 09:00, Main street 1. Diese Erinnerung kommt zu spät: Das Gateway lief nicht.',
  )
  expect(occasionOf(due)).toEqual({ kind: 'reminder', expiresAt: new Date('2026-03-05T08:00:00Z') })
})
