import { describe, expect, it } from 'vitest'
import { readCron } from './cron.ts'
import { describeTrigger, momentAt, Trigger } from './trigger.ts'
import { readTrigger } from './trigger-sentence.ts'

const zone = 'Europe/Zagreb'
const now = new Date('2026-03-05T12:00:00Z')
const read = (sentence: string) => readTrigger(sentence, { now, zone })

describe('a cron expression', () => {
  it('has five fields of numbers, names, lists, ranges and steps', () => {
    expect(readCron(' 0  8 * * mon-fri ')).toMatchObject({
      kind: 'cron',
      cron: { text: '0 8 * * MON-FRI', weekdays: [1, 2, 3, 4, 5], namesHours: true },
    })
    expect(readCron('*/20 */6 1-10/3 JAN,7 7')).toMatchObject({
      cron: {
        minutes: [0, 20, 40],
        hours: [0, 6, 12, 18],
        days: [1, 4, 7, 10],
        months: [1, 7],
        weekdays: [0],
      },
    })
    expect(readCron('@daily')).toMatchObject({ cron: { text: '0 0 * * *' } })
  })

  it.each([
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * 32 * *',
    '* * * 13 *',
    '* * * * 8',
    '5/10 * * * *',
    '10-5 * * * *',
    '*/0 * * * *',
    '0 0 L * *',
    '0 0 * * MON#1',
    '0 0 ? * *',
    '0 0 30 2 *',
    '0 0 31 4,6 *',
    '@reboot',
    '-1 * * * *',
    '1.5 * * * *',
    '',
  ])('is refused as “%s”', (text) => {
    expect(readCron(text).kind).toBe('problem')
  })
})

describe('a trigger in words', () => {
  it.each([
    ['0 8 * * 1-5', 'Weekdays 08:00 Europe/Zagreb'],
    ['0 8,20 * * 0,6', 'Weekends 08:00, 20:00 Europe/Zagreb'],
    ['30 9 * * MON,THU', 'Mondays and Thursdays 09:30 Europe/Zagreb'],
    ['0 7 1 * *', 'On the 1st of every month 07:00 Europe/Zagreb'],
    ['0 7 2,13,23 12 *', 'On the 2nd, 13th and 23rd of December 07:00 Europe/Zagreb'],
    ['*/15 * * * *', 'Every 15 minutes Europe/Zagreb'],
    ['0 * * * *', 'Every hour Europe/Zagreb'],
    ['5 */2 * * *', 'Every 2 hours at 5 past Europe/Zagreb'],
    ['*/10 8-17 * * 1-5', 'Weekdays every 10 minutes in the hours 8–17 Europe/Zagreb'],
    ['0 0 * * *', 'Every day 00:00 Europe/Zagreb'],
    ['0 8 */2 * *', 'Cron 0 8 */2 * * Europe/Zagreb'],
    ['0 8 */15 * *', 'On the 1st, 16th and 31st of every month 08:00 Europe/Zagreb'],
    ['7,9 * * * *', 'Cron 7,9 * * * * Europe/Zagreb'],
  ])('%s is “%s”', (expression, words) => {
    expect(describeTrigger({ kind: 'cron', expression, zone })).toBe(words)
  })

  it('says intervals, single times and events', () => {
    expect(describeTrigger({ kind: 'every', seconds: 5_400 })).toBe('Every 90 minutes')
    expect(describeTrigger({ kind: 'once', at: '2026-07-01T10:00:00Z' }, zone)).toBe(
      'Once, 2026-07-01 12:00 Europe/Zagreb',
    )
    expect(describeTrigger({ kind: 'event', on: 'message', contains: 'bill' })).toBe(
      'When a message contains “bill”',
    )
    expect(describeTrigger({ kind: 'webhook', secret: 'github' })).toContain('github')
    expect(describeTrigger(Trigger.parse({ kind: 'mail', account: 'work' }))).toBe(
      'When an e-mail arrives in work, checked every 5 minutes',
    )
    const narrow = { kind: 'mail', account: 'work', folder: 'Bills', from: '@example.org', subject: 'due' }
    expect(describeTrigger(Trigger.parse({ ...narrow, everyMinutes: 60 }))).toBe(
      'When an e-mail arrives in work/Bills that is proven to be from @example.org with “due” in its subject, checked every hour',
    )
  })
})

describe('a trigger', () => {
  it('refuses what never comes, comes too often, or reaches outside', () => {
    const wrong: unknown[] = [
      { kind: 'cron', expression: '0 8 * * *', zone: 'Mars/Base' },
      { kind: 'cron', expression: '0 0 30 2 *', zone },
      { kind: 'every', seconds: 59 },
      { kind: 'once', at: '2026-07-01T10:00' },
      { kind: 'event', on: 'ledger' },
      { kind: 'event', on: 'ledger', type: '*' },
      { kind: 'watch', path: '/etc/passwd' },
      { kind: 'watch', path: 'a/../../b' },
      { kind: 'watch', path: '' },
      { kind: 'webhook', secret: 'Not A Name' },
      { kind: 'mail', account: 'Not A Name' },
      { kind: 'mail', account: 'work', folder: '' },
      { kind: 'mail', account: 'work', from: 'Ana' },
      { kind: 'mail', account: 'work', from: '@' },
      { kind: 'mail', account: 'work', from: 'ana@example.org, bob@example.org' },
      { kind: 'mail', account: 'work', subject: 'a\nb' },
      { kind: 'mail', account: 'work', everyMinutes: 0 },
      { kind: 'cron', expression: '0 8 * * *', zone, more: 1 },
    ]
    for (const trigger of wrong)
      expect(Trigger.safeParse(trigger).success, JSON.stringify(trigger)).toBe(false)
    expect(Trigger.parse({ kind: 'cron', expression: ' 0 8 * *  mon', zone })).toMatchObject({
      expression: '0 8 * * MON',
    })
  })
})

describe('a sentence', () => {
  it.each([
    [
      'every weekday 8:00 send me a brief',
      { kind: 'cron', expression: '0 8 * * 1-5', zone },
      'send me a brief',
    ],
    ['send me a brief every day at 8am', { kind: 'cron', expression: '0 8 * * *', zone }, 'send me a brief'],
    [
      'daily at 7:30 pm America/New_York, ring',
      { kind: 'cron', expression: '30 19 * * *', zone: 'America/New_York' },
      'ring',
    ],
    [
      'on the 1st of every month at 7 pay the rent',
      { kind: 'cron', expression: '0 7 1 * *', zone },
      'pay the rent',
    ],
    [
      'every 15 minutes check the site',
      { kind: 'every', seconds: 900, from: now.toISOString() },
      'check the site',
    ],
    ['in 20 minutes tea', { kind: 'once', at: '2026-03-05T12:20:00.000Z' }, 'tea'],
    ['tomorrow at noon call', { kind: 'once', at: '2026-03-06T11:00:00.000Z' }, 'call'],
    ['at 9:00 call', { kind: 'once', at: '2026-03-06T08:00:00.000Z' }, 'call'],
    ['when inbox/a.pdf changes, file it', { kind: 'watch', path: 'inbox/a.pdf' }, 'file it'],
    [
      'when a message contains "my bill" tell me',
      { kind: 'event', on: 'message', contains: 'my bill' },
      'tell me',
    ],
    [
      'when an e-mail arrives in work, tell me',
      { kind: 'mail', account: 'work', folder: 'INBOX', everyMinutes: 5 },
      'tell me',
    ],
    [
      'when a new email arrives in "work/To pay" from ana@example.org about "the invoice" checked every 30 minutes: book it',
      {
        kind: 'mail',
        account: 'work',
        folder: 'To pay',
        from: 'ana@example.org',
        subject: 'the invoice',
        everyMinutes: 30,
      },
      'book it',
    ],
    [
      'file it when mail arrives in work',
      { kind: 'mail', account: 'work', folder: 'INBOX', everyMinutes: 5 },
      'file it',
    ],
    ['0 8 * * 1-5 brief', { kind: 'cron', expression: '0 8 * * 1-5', zone }, 'brief'],
  ])('%s', (sentence, trigger, rest) => {
    expect(read(sentence)).toEqual({ kind: 'trigger', trigger, rest })
  })

  it.each([
    'every blue moon dance',
    'every 10 seconds poll',
    'every day at 25:00 rest',
    'every day at half past eight rest',
    'when ../a changes',
    'brief',
    '',
  ])('that is not clear gets examples: “%s”', (sentence) => {
    const answer = read(sentence)
    expect(answer).toMatchObject({ kind: 'unclear' })
    if (answer.kind === 'unclear')
      for (const example of answer.examples) expect(read(example).kind, example).toBe('trigger')
  })
})

describe('a time of day', () => {
  it('is the first moment that the wall shows it or a later one', () => {
    expect(momentAt('2026-03-29', '02:30', zone).toISOString()).toBe('2026-03-29T01:00:00.000Z')
    expect(momentAt('2026-10-25', '02:30', zone).toISOString()).toBe('2026-10-25T00:30:00.000Z')
    expect(momentAt('2026-03-05', '08:01', 'Asia/Kolkata').toISOString()).toBe('2026-03-05T02:31:00.000Z')
    expect(momentAt('2026-03-05', '23:59', 'Pacific/Kiritimati').toISOString()).toBe(
      '2026-03-05T09:59:00.000Z',
    )
    expect(momentAt('2026-03-05', '00:00', 'Pacific/Pago_Pago').toISOString()).toBe(
      '2026-03-05T11:00:00.000Z',
    )
  })
})
