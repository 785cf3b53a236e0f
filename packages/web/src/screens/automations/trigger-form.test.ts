import type { Trigger } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { pageIn, triggerOf, valuesOf, withPage } from './trigger-form.ts'

const now = new Date('2026-03-10T12:00:00Z')

describe('what sets an automation off', () => {
  test.each<Trigger>([
    { kind: 'cron', expression: '0 8 * * 1-5', zone: 'Europe/Vienna' },
    { kind: 'once', at: '2026-03-31T14:00:00Z' },
    { kind: 'watch', path: 'inbox/scan.pdf' },
    { kind: 'webhook', secret: 'github' },
    { kind: 'mail', account: 'work', folder: 'INBOX', everyMinutes: 5 },
    {
      kind: 'mail',
      account: 'work',
      folder: 'Bills/To pay',
      from: '@example.org',
      subject: 'the invoice',
      everyMinutes: 30,
    },
    { kind: 'event', on: 'message', contains: 'invoice' },
    { kind: 'event', on: 'message' },
    { kind: 'event', on: 'ledger', type: 'run.ended' },
  ])('is written into a form and read again: %j', (trigger) => {
    expect(triggerOf(valuesOf(trigger), now)).toEqual(trigger)
  })

  test('keeps an interval', () => {
    const trigger: Trigger = { kind: 'every', seconds: 900 }
    expect(triggerOf(valuesOf(trigger), now)).toMatchObject(trigger)
  })

  test('is read in the zone of the form', () => {
    expect(triggerOf({ kind: 'words', value: 'every weekday 8:00', zone: 'Asia/Tokyo' }, now)).toEqual({
      kind: 'cron',
      expression: '0 8 * * 1-5',
      zone: 'Asia/Tokyo',
    })
  })

  test.each([
    { kind: 'words', value: 'sometimes', zone: 'UTC' },
    { kind: 'words', value: 'every weekday 8:00 send a brief', zone: 'UTC' },
    { kind: 'cron', value: '61 8 * * *', zone: 'UTC' },
    { kind: 'cron', value: '0 8 * * *', zone: 'Nowhere' },
    { kind: 'watch', value: '../secrets', zone: 'UTC' },
    { kind: 'mail', value: '', zone: 'UTC' },
    { kind: 'mail', value: 'work from Ana', zone: 'UTC' },
    { kind: 'mail', value: 'work from ana@example.org and then reply', zone: 'UTC' },
  ] as const)('is refused where it is not understood: %j', (values) => {
    expect(triggerOf(values, now)).toBeUndefined()
  })
})

test('finds the one page that a task watches, and puts another in its place', () => {
  const prompt = 'Read https://example.com/ and tell me what changed. Then read https://example.com/ again.'
  expect(pageIn(prompt)).toBe('https://example.com/')
  expect(withPage(prompt, 'https://a.example/$&')).toBe(
    'Read https://a.example/$& and tell me what changed. Then read https://a.example/$& again.',
  )
  expect(pageIn('Read https://a.example and https://b.example')).toBeUndefined()
})
