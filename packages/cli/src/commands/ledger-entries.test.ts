import {
  CountersignError,
  type LedgerEntryDetail,
  type LedgerEntryView,
  type LedgerPage,
  type ServerFrame,
} from '@countersign/contract'
import type { Connection } from '@countersign/contract/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createContext, type GlobalFlags, type OptionValues } from '../context.ts'
import { failed, written } from '../output/answer.ts'
import { failureOf } from '../output/failure.ts'
import { wrap } from '../output/wrap.ts'
import { type FakeRequest, fakeClient } from '../testing/fake-client.ts'
import { usualFlags } from '../testing/flags.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'
import { pageText } from './ledger-words.ts'
import { ledgerRows } from './rows/ledger.ts'

let home: TestHome
let asked: FakeRequest[]
let page: LedgerPage
beforeEach(() => {
  home = testHome()
  asked = []
  followed = []
  page = { entries: [entryOf(2), entryOf(1)], next: null, size: 2, looked: 2 }
})
afterEach(() => home.remove())

function entryOf(seq: number, more: Partial<LedgerEntryView> = {}): LedgerEntryView {
  return {
    seq,
    at: '2026-08-01T11:00:00.000Z',
    type: 'effect.outcome',
    sentence: `The agent used write_file: Wrote notes/${seq}.md.`,
    actor: { kind: 'operator', id: 'laptop', name: 'laptop' },
    tier: 1,
    outcome: 'ok',
    tool: 'write_file',
    effects: ['write'],
    headline: null,
    run: null,
    session: null,
    call: null,
    approval: null,
    rules: [],
    hash: '9f2c'.repeat(16),
    data: { summary: 'Wrote it' },
    signed: true,
    ...more,
  }
}

function answer(request: FakeRequest): LedgerPage | LedgerEntryDetail {
  asked.push(request)
  if (request.path === '/v1/ledger') {
    const after = Number(request.query['after'] ?? 0)
    return { ...page, entries: page.entries.filter(({ seq }) => seq > after) }
  }
  const entry = page.entries.find(({ seq }) => request.path === `/v1/ledger/${seq}`)
  if (!entry) throw new CountersignError('not_found', 'The ledger has no such entry.')
  const checkpoint = { size: 2, at: '2026-08-01T11:00:01.000Z', note: 'note' }
  return { entry, body: '{"seq":2}', exact: true, checkpoint }
}

/** How far each connection was asked from. The first brings entry 3 and is lost; the next brings 3 again, and 4. */
let followed: number[]

async function connectFake({ onFrame }: { onFrame: (frame: ServerFrame) => void }): Promise<Connection> {
  const over = Promise.withResolvers<string>()
  return {
    send: () => undefined,
    close: () => over.resolve('closed'),
    ended: over.promise,
    followLedger(frame) {
      if (frame === null) return
      followed.push(frame.after)
      const bring = (...numbers: number[]) =>
        onFrame({
          type: 'ledger',
          id: frame.id,
          entries: numbers.map((seq) => entryOf(seq)),
          after: numbers.at(-1) ?? 0,
          size: 4,
        })
      if (followed.length > 1) return bring(3, 4)
      bring(3)
      over.resolve('lost')
    },
  }
}

async function command(
  name: string,
  args: string[] = [],
  options: OptionValues = {},
  given: Partial<GlobalFlags> = {},
) {
  const row = ledgerRows.find((each) => each.name === name)
  if (!row) throw new Error(`no ${name}`)
  const host = testHost({ home, clock: () => new Date('2026-08-01T12:00:00Z') })
  const flags: GlobalFlags = { ...usualFlags, plain: true, ...given }
  const waiting = { ...host, wait: (ms: number, signal?: AbortSignal) => host.wait(Math.min(ms, 5), signal) }
  const context = {
    ...createContext(waiting, flags),
    gateway: () => Promise.resolve({ client: fakeClient(answer), connect: connectFake } as never),
  }
  const result = await row
    .load()
    .then((handler) => handler(context, args, options))
    .catch(async (error: unknown) => failed(await failureOf(error)))
  const { output, errors, exit } = written(result, flags.json)
  return { output: host.written() + output, errors, exit }
}

describe('ledger query', () => {
  it('lists what happened, the newest first, with the way to what is older', async () => {
    page = { ...page, next: 1, looked: 50_000 }
    const { output, exit } = await command('ledger query', ["tool:write_file since:7d it's"], { limit: '2' })
    expect(exit).toBe(0)
    expect(output.split('\n').slice(0, 3)).toEqual([
      'Entry  When   Tier      Outcome  What happened',
      '#2     11:00  Undoable  ok       The agent used write_file: Wrote notes/2.md.',
      '#1     11:00  Undoable  ok       The agent used write_file: Wrote notes/1.md.',
    ])
    expect(output).toContain(
      String.raw`countersign ledger query 'tool:write_file since:7d it'\''s' --before 1`,
    )
    expect(asked[0]?.query).toEqual({ q: "tool:write_file since:7d it's", limit: '2' })
  })

  it('gives what happened the room in a narrow terminal, and tells an outcome where it is bad', () => {
    const host = testHost({
      home,
      terminal: true,
      columns: 80,
      clock: () => new Date('2026-08-01T12:00:00Z'),
    })
    const context = createContext(host, usualFlags)
    const sentence = `The agent used move_file: Moved ${'Sample/Downloads/'.repeat(3)}a.md to b.md.`
    const entries = [entryOf(12, { sentence }), entryOf(11, { sentence: 'It ended.', outcome: 'failed' })]
    const text = wrap(pageText({ ...page, entries, next: null }, '', context), 80)
    expect(text).toMatchInlineSnapshot(`
      "#12  11:00  T1  The agent used move_file: Moved
                      Sample/Downloads/Sample/Downloads/Sample/Downloads/a.md to b.md.
      #11  11:00  T1  failed: It ended."
    `)
  })

  it('shows what a sentence hides', async () => {
    page = { ...page, entries: [entryOf(2, { sentence: 'Sent\u202e to \u001b[31mana.' })] }
    expect((await command('ledger query')).output).toContain('Sent⟨U+202E⟩ to ⟨U+001B⟩[31mana.')
  })

  it('counts beside the list when asked to', async () => {
    page = { ...page, facets: [{ field: 'tool', values: [{ value: 'write_file', count: 12 }] }] }
    const { output } = await command('ledger query', [], { facets: true })
    expect(output).toContain('tool\n  12  tool:write_file')
    expect(asked[0]?.query).toMatchObject({ facets: 'yes' })
  })

  it('says where a query cannot be read, and sends nothing', async () => {
    const { errors, exit } = await command('ledger query', ['tool:a colour:red'])
    expect(exit).toBe(2)
    expect(errors).toContain('There is no field “colour”.\n  tool:a colour:red\n         ^^^^^^^^^^\n')
    expect(asked).toEqual([])
  })

  it.each([{ limit: '501' }, { limit: '0' }, { limit: 'many' }, { before: 'yesterday' }])(
    'refuses %j',
    async (options) => {
      expect((await command('ledger query', [], options)).exit).toBe(2)
      expect(asked).toEqual([])
    },
  )

  it('says that nothing answers, and among how many', async () => {
    page = { entries: [], next: null, size: 40, looked: 40 }
    expect((await command('ledger query', ['tool:x'])).output).toBe(
      'No match among the 40 entries for tool:x.\n',
    )
  })
})

describe('ledger show', () => {
  it('shows one entry whole, by its number with or without a sign', async () => {
    const { output } = await command('ledger show', ['#2'])
    expect(output).toContain('The agent used write_file: Wrote notes/2.md.')
    expect(output).toMatch(/Hash +9f2c/)
    expect(output).toContain('by the checkpoint at 2')
    expect(output).toContain('The exact text of the hash\n  {"seq":2}')
  })

  it('is one document for a program', async () => {
    const { output } = await command('ledger show', ['2'], {}, { json: true })
    expect(JSON.parse(output)).toMatchObject({ ok: true, exact: true, entry: { seq: 2 } })
  })

  it('refuses what is no number, and does not find what is not there', async () => {
    expect((await command('ledger show', ['first'])).exit).toBe(2)
    expect((await command('ledger show', ['7'])).exit).toBe(3)
  })
})

describe('ledger tail', () => {
  it('writes what is there in the order of time, and then what comes, each once, over lost connections', async () => {
    const { output } = await command('ledger tail', [], { stream: true }, { json: true, waitMs: 300 })
    const seen = output
      .trim()
      .split('\n')
      .map((each) => (JSON.parse(each) as LedgerEntryView).seq)
    expect(seen).toEqual([1, 2, 3, 4])
    expect(followed).toEqual([2, 3])
    expect(asked).toHaveLength(1)
  })

  it('begins at the present when nothing before it is wanted', async () => {
    expect((await command('ledger tail', [], { last: '0' }, { waitMs: 300 })).output).not.toContain('#2')
    followed = []
    expect((await command('ledger tail', [], {}, { waitMs: 20 })).output).toContain(
      '#2  11:00  T1  The agent used',
    )
  })

  it('is not one document, and says what to use instead', async () => {
    const { exit, output } = await command('ledger tail', [], {}, { json: true })
    expect(exit).toBe(2)
    expect(output).toContain('--stream')
  })
})
