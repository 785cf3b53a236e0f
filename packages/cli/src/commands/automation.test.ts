import type { Client } from '@countersign/contract/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Context, createContext, type Handler, type OptionValues } from '../context.ts'
import { written } from '../output/answer.ts'
import { failureOf } from '../output/failure.ts'
import {
  type FakeAutomations,
  fakeAutomations,
  occurrenceView,
  scheduleView,
} from '../testing/automations.ts'
import { fakeClient } from '../testing/fake-client.ts'
import { usualFlags } from '../testing/flags.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'
import * as automation from './automation.ts'
import { automationRows } from './rows/automation.ts'

let home: TestHome
let fake: FakeAutomations
let client: Client
beforeEach(() => {
  home = testHome()
  fake = fakeAutomations()
  client = fakeClient((request) => fake.answer(request))
})
afterEach(() => home.remove())

async function run(handler: Handler, args: string[], options: OptionValues = {}, json = false) {
  const host = testHost({ home, clock: () => new Date('2026-08-01T12:00:00Z') })
  const flags = { ...usualFlags, json }
  const context = { ...createContext(host, flags), gateway: async () => ({ client }) } as unknown as Context
  const answer = await handler(context, args, options).catch(async (error: unknown) => ({
    kind: 'failed' as const,
    failure: await failureOf(error),
  }))
  return written(answer, json)
}

const body = () => fake.asked.at(-1)?.body

describe('automation list', () => {
  it('says how to make the first one', async () => {
    const { output } = await run(automation.list, [])
    expect(output).toContain('countersign automation add')
  })

  it('shows the trigger in words, the next times and the last outcomes as dots', async () => {
    fake.schedules = [
      scheduleView('Brief', {
        last: ['succeeded', 'failed', 'missed', 'parked'],
        averageCostUsd: 0.02,
        maxCostUsd: 0.05,
      }),
      scheduleView('Old', { status: 'paused' }),
    ]
    const { output } = await run(automation.list, [])
    expect(output).toContain('Weekdays 08:00 Europe/Zagreb')
    expect(output).toContain('2026-08-03 06:00, 2026-08-04 06:00, 2026-08-05 06:00')
    expect(output).toContain('●✗○‖')
    expect(output).toContain('$0.02 of $0.05')
    expect(output).toContain('‖ waits for you')
    expect(output).toMatch(/Old .*paused/)
    expect(JSON.parse((await run(automation.list, [], {}, true)).output)).toMatchObject({
      ok: true,
      automations: [{}, {}],
    })
  })
})

describe('automation add', () => {
  it('sends the sentence and shows what was understood', async () => {
    const { output, exit } = await run(automation.add, ['every weekday 8:00 send me a brief'], {
      maxCost: '0.05',
      tierMax: '1',
      missed: 'all:3',
      overlap: 'queue',
      onFailure: 'feed',
      quietHours: '22:00-07:00',
      zone: 'Europe/Zagreb',
    })
    expect(exit).toBe(0)
    expect(output).toContain('Added send me a brief.  Ledger #7')
    expect(output).toContain('Weekdays 08:00 Europe/Zagreb')
    expect(output).toContain('0 8 * * 1-5')
    expect(body()).toEqual({
      trigger: { kind: 'cron', expression: '0 8 * * 1-5', zone: 'Europe/Zagreb' },
      does: { kind: 'prompt', text: 'send me a brief' },
      maxCostUsd: 0.05,
      tierMax: 1,
      missed: 'all',
      most: 3,
      overlap: 'queue',
      onFailure: { feed: true, session: null },
      quiet: { from: '22:00', to: '07:00', zone: 'Europe/Zagreb' },
    })
  })

  it('leaves reading to the gateway where no zone is named', async () => {
    await run(automation.add, ['every weekday 8:00 send me a brief'])
    expect(body()).toEqual({ sentence: 'every weekday 8:00 send me a brief' })
  })

  it.each([
    [
      { cron: '0 7 * * *', zone: 'UTC' },
      { kind: 'cron', expression: '0 7 * * *', zone: 'UTC' },
    ],
    [{ every: '15m' }, { kind: 'every', seconds: 900 }],
    [
      { at: '2026-08-02T14:00', zone: 'Europe/Zagreb' },
      { kind: 'once', at: '2026-08-02T12:00:00.000Z' },
    ],
    [{ on: 'message:invoice' }, { kind: 'event', on: 'message', contains: 'invoice' }],
    [{ on: 'ledger:run.ended' }, { kind: 'event', on: 'ledger', type: 'run.ended' }],
    [{ on: 'file:inbox/a.pdf' }, { kind: 'watch', path: 'inbox/a.pdf' }],
    [{ on: 'webhook:github' }, { kind: 'webhook', secret: 'github' }],
    [{ on: 'mail:work' }, { kind: 'mail', account: 'work', folder: 'INBOX', everyMinutes: 5 }],
    [
      { on: 'mail:work/To pay', from: '@example.org', subject: 'invoice', checkEvery: '1h' },
      {
        kind: 'mail',
        account: 'work',
        folder: 'To pay',
        from: '@example.org',
        subject: 'invoice',
        everyMinutes: 60,
      },
    ],
  ])('takes the trigger from %o and the words as the prompt', async (options, trigger) => {
    await run(automation.add, ['look at it'], options)
    expect(body()).toMatchObject({ trigger, does: { kind: 'prompt', text: 'look at it' } })
  })

  it('keeps nothing with --dry-run', async () => {
    const { output } = await run(automation.add, ['in 20 minutes tea'], { dryRun: true })
    expect(output).toContain('Once, ')
    expect(output).toContain('Nothing was saved.')
    expect(fake.schedules).toEqual([])
    expect(fake.asked.at(-1)?.path).toBe('/v1/schedules/preview')
  })

  it.each([
    ['now and then', {}, 'every weekday 8:00'],
    ['x', { cron: '0 7 * *' }, 'five fields'],
    ['x', { cron: '0 7 * * *', every: '15m' }, 'not both'],
    ['x', { every: 'often' }, '15m'],
    ['x', { every: '10s' }, '--every'],
    ['x', { on: 'rain' }, 'webhook:<secret>'],
    ['x', { on: 'mail:Work' }, 'not a name'],
    ['x', { on: 'mail:work', from: 'Ana' }, 'ana@example.org'],
    ['x', { on: 'mail:work', checkEvery: '90s' }, 'whole minutes'],
    ['x', { every: '1h', from: 'ana@example.org' }, '--on mail:<account>'],
    ['x', { on: 'file:../etc/passwd' }, 'inside the workspace'],
    ['x', { cron: '0 7 * * *', zone: 'Mars/Base' }, 'Europe/Zagreb'],
    ['x', { every: '1h', tierMax: '7' }, '0 to 4'],
    ['x', { every: '1h', missed: 'once:3' }, 'all:3'],
    ['x', { every: '1h', onFailure: 'telegram' }, 'session'],
    ['x', { every: '1h', maxCost: 'cheap' }, '0.05'],
    ['x', { every: '1h', overlap: 'both' }, 'parallel'],
    ['every day at 8:00', { zone: 'UTC' }, 'after the time'],
  ])('refuses “%s” with %o', async (sentence, options, words) => {
    const { errors, exit } = await run(automation.add, [sentence], options)
    expect(exit).toBe(2)
    expect(errors).toContain(words)
    expect(fake.schedules).toEqual([])
  })
})

describe('automation', () => {
  beforeEach(() => {
    fake.schedules = [scheduleView('Brief'), scheduleView('Backup'), scheduleView('Board')]
  })

  it('is found by id, by name and by the beginning of one name', async () => {
    for (const ref of ['sched_brief', 'BRIEF', 'br'])
      expect((await run(automation.show, [ref])).output).toContain('Brief  sched_brief')
    const many = await run(automation.show, ['b'])
    expect(many.exit).toBe(3)
    expect(many.errors).toContain('Brief, Backup, Board')
    expect((await run(automation.show, ['none'])).errors).toContain('countersign automation list')
  })

  it('tells of a new version when the work changes, and of none when it does not', async () => {
    const edited = await run(automation.set, ['brief'], { prompt: 'Send two' })
    expect(edited.output).toContain('version 2')
    expect(body()).toEqual({ does: { kind: 'prompt', text: 'Send two' } })
    expect((await run(automation.set, ['brief'], { missed: 'skip' })).output).not.toContain('version')
    expect((await run(automation.set, ['brief'])).exit).toBe(2)
  })

  it('is paused and resumed, one or all, and says when there is nothing to do', async () => {
    expect((await run(automation.pause, ['brief'])).output).toBe('Paused Brief.  Ledger #8\n')
    expect((await run(automation.pause, [], { all: true })).output.match(/Paused/g)).toHaveLength(2)
    expect((await run(automation.pause, ['brief'])).output).toBe('Nothing to pause.\n')
    expect((await run(automation.resume, ['brief'])).output).toContain('Resumed Brief.')
    expect((await run(automation.pause, [])).exit).toBe(2)
    expect((await run(automation.pause, ['brief'], { all: true })).exit).toBe(2)
  })

  it('is set off, and says why it is not', async () => {
    fake.occurrences = [occurrenceView({ state: 'queued', because: 'It is queued.' })]
    expect((await run(automation.run, ['brief'])).output).toContain('countersign automation history Brief')
    fake.occurrences = [occurrenceView({ state: 'skipped', because: 'The previous run had not ended.' })]
    expect((await run(automation.run, ['brief'])).output).toContain(
      'cannot run now. The previous run had not ended.',
    )
  })

  it('shows what it was due for, and an empty state', async () => {
    expect((await run(automation.history, ['brief'])).output).toBe('Brief has not been due yet.\n')
    fake.occurrences = [
      occurrenceView({ state: 'failed', message: 'the printer is\u001b[31m away' }),
      occurrenceView({ state: 'missed', because: 'Nobody was there.', costUsd: null }),
    ]
    const { output } = await run(automation.history, ['brief'])
    expect(output).toContain('failed')
    expect(output).not.toContain('\u001b')
    expect(output).toContain('Nobody was there.')
    expect((await run(automation.history, ['brief'], { limit: 'many' })).exit).toBe(2)
  })

  it('says why it did not run, for a day that may be named', async () => {
    fake.whyNot = {
      answer: 'The automation was paused.',
      trace: [{ step: 'guard', at: null, sentence: '08:00: suppressed. The automation was paused.' }],
    }
    const { output } = await run(automation.whyNot, ['brief'], { date: 'yesterday' })
    expect(output).toContain('Brief on 2026-08-01: The automation was paused.')
    expect(output).toContain('guard  08:00: suppressed.')
    expect(fake.asked.at(-1)?.query).toEqual({ day: '2026-07-31' })
    expect((await run(automation.whyNot, ['brief'], { date: 'soon' })).exit).toBe(2)
  })

  it('is removed', async () => {
    expect((await run(automation.remove, ['brief'])).output).toContain('Removed Brief.')
    expect(fake.schedules.length).toBe(2)
  })
})

it('has a row with examples for every command', async () => {
  for (const row of automationRows) {
    expect(row.examples.length, row.name).toBeGreaterThan(0)
    expect(typeof (await row.load()), row.name).toBe('function')
  }
})
