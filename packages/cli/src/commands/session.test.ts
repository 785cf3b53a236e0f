import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AskedForView,
  type ConversationExport,
  idFrom,
  type Label,
  operatorLabel,
  type RunView,
  type SessionView,
  type Thread,
} from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Context, createContext, type Handler, type OptionValues } from '../context.ts'
import { written } from '../output/answer.ts'
import { failureOf } from '../output/failure.ts'
import { usualFlags } from '../testing/flags.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'
import { sessionRows } from './rows/session.ts'
import {
  archive,
  clear,
  conversationsAmong,
  exported,
  fork,
  imported,
  remove,
  rename,
  search,
  thread,
} from './session.ts'
import { asked as shownWishes, takeBack } from './session-asked.ts'

const at = '2026-03-01T12:00:00.000Z'
const session = idFrom('ses', '1'.repeat(32))
const run = idFrom('run', '2'.repeat(32))
const untrusted: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['example.org'] }
const file: ConversationExport = {
  format: 'countersign.conversation',
  version: 1,
  exportedAt: at,
  session: { title: 'Boats', createdAt: at, label: operatorLabel },
  messages: [{ at, role: 'user', text: 'Hello', label: operatorLabel, activity: [] }],
}
const said = { kind: 'message' as const, at, run, archived: false }
const seen: Thread = {
  session,
  title: 'Boats',
  origin: { kind: 'fork', forkedFrom: idFrom('ses', '3'.repeat(32)), upTo: 4, at },
  items: [
    { ...said, position: 5, source: 'user', text: 'Look\u001b[2J at it', archived: true },
    {
      kind: 'activity',
      position: 6,
      at,
      run,
      call: idFrom('call', '4'.repeat(32)),
      tool: 'read_file',
      headline: 'Read boats.txt',
      outcome: 'ok',
      tier: 0,
      summary: 'Read 1 kB',
      undoable: true,
    },
    { ...said, position: 6, source: 'error', text: 'The model failed.' },
  ],
  before: 5,
}
const episode = {
  id: 'epi_1',
  session,
  agent: 'assistant',
  goal: null,
  summary: 'They spoke of boats.',
  excerpt: 'Operator: the blue boat',
  startedAt: at,
  endedAt: at,
  messages: 6,
  label: untrusted,
}

let home: TestHome
let folder: string
let asked: unknown[][]
let found: (typeof episode)[]
let left: number
beforeEach(() => {
  home = testHome()
  folder = mkdtempSync(join(tmpdir(), 'countersign-session-'))
  asked = []
  found = [episode]
  left = 4
})
afterEach(() => {
  home.remove()
  rmSync(folder, { recursive: true })
})

const list: AskedForView = {
  id: idFrom('ask', '5'.repeat(32)),
  session,
  run,
  items: [{ act: 'change_files', target: 'boats\u001b[2J', count: 3 }],
  at,
  kinds: null,
  questions: ['When do boats\u001b[2J sail?'],
  takenBackAt: null,
}
let lists: readonly AskedForView[] = []
const made = { session, title: 'Fork of Boats', messages: 3, ledger: 7 }
const heard =
  <T>(name: string, answer: () => T) =>
  async (...given: unknown[]): Promise<T> => {
    asked.push([name, ...given])
    return answer()
  }
const client = {
  thread: heard('thread', () => seen),
  searchHistory: heard('search', () => found),
  forkSession: heard('fork', () => made),
  archiveSession: heard('archive', () => ({ episode: left > 0 ? 'epi_1' : null, messages: left, ledger: 8 })),
  renameSession: heard('rename', () => ({ ok: true, ledger: 9 })),
  exportSession: heard('export', () => file),
  askedFor: heard('asked', () => lists),
  takeBack: heard('take back', () => ({ ok: true, ledger: 12 })),
  removeSession: heard('remove', () => ({ ok: true, ledger: 13 })),
  clearSession: heard('clear', () => ({ messages: 3, ledger: 14 })),
  importSession: heard('import', () => ({ ...made, title: 'Boats', messages: 1 })),
}

async function use(handler: Handler, args: string[], options: OptionValues = {}, json = false) {
  const host = testHost({ home, clock: () => new Date('2026-03-01T12:05:00.000Z') })
  const flags = { ...usualFlags, json }
  const context = { ...createContext(host, flags), gateway: async () => ({ client }) } as unknown as Context
  const answer = await handler(context, args, options).catch(async (error: unknown) => ({
    kind: 'failed' as const,
    failure: await failureOf(error),
  }))
  const { output, errors, exit } = written(answer, json)
  return { exit, text: host.written() + output, errors: host.complaints() + errors }
}

describe('erasing a conversation', () => {
  it.each([
    ['delete', remove],
    ['clear', clear],
  ])('says what the ledger keeps of it: %s', async (_name, handler) => {
    expect((await use(handler, [session])).text).toContain(
      'The ledger keeps the beginning of what was said and done, so that it can be verified.',
    )
  })
})

describe('what the words of a conversation ask for', () => {
  it('is shown, and taken back where it stands', async () => {
    lists = []
    expect((await use(shownWishes, [session])).text).toContain('Nothing was listed')
    expect((await use(takeBack, [session])).text).toContain('nothing to take back')
    lists = [{ ...list, takenBackAt: at }, list]
    const { text } = await use(shownWishes, [session])
    expect(text).toMatch(
      /^Taken back: change files in boats.*, at most 3; would look up: “When do boats.*sail\?”\nYou asked for: change/,
    )
    expect(text).not.toContain('\u001b[2J')
    asked.length = 0
    expect((await use(takeBack, [session])).text).toContain('Taken back')
    expect(asked).toEqual([
      ['asked', session],
      ['take back', list.id],
    ])
  })
})

describe('session thread', () => {
  it('shows who said what, what was done, where it came from and how to read on', async () => {
    const { text } = await use(thread, [session], { before: '9', limit: '3' })
    expect(asked).toEqual([['thread', session, { before: '9', limit: '3' }]])
    expect(text).toContain('Forked from ses_3333')
    expect(text).toContain(`Older: countersign session thread ${session} --before 5`)
    expect(text).toMatch(/You {2}12:00 {2}#5 {2}archived/)
    expect(text).toContain('Read boats.txt: ok  Looks  can be undone')
    expect(text).toContain('Problem')
    expect(text).not.toContain('\u001b[2J')
    expect(JSON.parse((await use(thread, [session], {}, true)).text)).toMatchObject({ ok: true, before: 5 })
  })

  it.each([{ before: 'x' }, { before: '0' }, { limit: '201' }, { limit: true }])(
    'refuses %j',
    async (options) => {
      expect(await use(thread, [session], options)).toMatchObject({
        exit: 2,
        errors: expect.stringContaining('--help'),
      })
      expect(asked).toEqual([])
    },
  )
})

describe('session search', () => {
  it('tells summary, words around and whether untrusted content was part of it', async () => {
    const { text } = await use(search, ['boat'], { since: 'last_week' })
    expect(asked).toEqual([['search', { query: 'boat', timeframe: 'last_week' }]])
    expect(text).toContain('5 min ago  6 messages')
    expect(text).toContain('They spoke of boats.')
    expect(text).toContain('With untrusted content: example.org.')
    found = []
    expect((await use(search, ['canoe'])).text).toContain('countersign session list')
  })

  it('refuses another stretch of time', async () => {
    expect(await use(search, ['boat'], { since: 'yesterday' })).toMatchObject({ exit: 2 })
    expect(asked).toEqual([])
  })
})

describe('session fork, archive and rename', () => {
  it('say what was made, with its entry and what to do next', async () => {
    const forked = await use(fork, [session], { at: '412', title: 'Plan B' })
    expect(forked.text).toContain('Forked 3 messages into')
    expect(forked.text).toContain('Ledger #7')
    expect(forked.text).toContain(`countersign chat ${session}`)
    expect((await use(archive, [session])).text).toContain('Archived 4 messages.  Ledger #8')
    left = 0
    expect((await use(archive, [session])).text).toContain('Nothing to archive')
    expect((await use(rename, [session, ' Ships '])).text).toContain('Renamed to Ships.  Ledger #9')
    expect(asked[0]).toEqual(['fork', session, { upTo: 412, title: 'Plan B' }])
  })

  it('refuse a place that is no number and a title without words', async () => {
    expect((await use(fork, [session], { at: 'last' })).exit).toBe(2)
    expect((await use(rename, [session, ' '])).exit).toBe(2)
    expect(asked).toEqual([])
  })
})

describe('session export and import', () => {
  it('write a file that only its owner reads, and make a session of it', async () => {
    const out = join(folder, 'boats.json')
    expect((await use(exported, [session], { out })).text).toContain('Wrote 1 message')
    expect(statSync(out).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(file)
    expect((await use(imported, [out])).text).toContain('untrusted')
    expect((await use(imported, [out], { mine: true })).text).toContain('counts as your own words')
    expect(asked.slice(1)).toMatchObject([
      ['import', { conversation: file, mine: false }],
      ['import', { mine: true }],
    ])
  })

  it('print the file, or one document', async () => {
    const shown = await use(exported, [session])
    expect(JSON.parse(shown.text)).toEqual(file)
    expect(JSON.parse((await use(exported, [session], {}, true)).text)).toEqual({
      ok: true,
      conversation: file,
    })
  })

  it('replace no file, and refuse what is none of theirs before anything is sent', async () => {
    const out = join(folder, 'kept.json')
    writeFileSync(out, '{"format":"other"}')
    expect((await use(exported, [session], { out })).exit).toBe(2)
    expect(readFileSync(out, 'utf8')).toBe('{"format":"other"}')
    expect((await use(imported, [out])).errors).toContain('is not a conversation: format')
    writeFileSync(out, 'nonsense')
    expect((await use(imported, [out])).errors).toContain('is not JSON')
    expect((await use(imported, [join(folder, 'none.json')])).errors).toContain('cannot be read')
    expect(asked.filter(([name]) => name === 'import')).toEqual([])
  })
})

it('has a row with an example for each command, and each finds its handler', async () => {
  for (const row of sessionRows) {
    expect(row.examples.length).toBeGreaterThan(0)
    expect(await row.load(), row.name).toBeTypeOf('function')
  }
  expect(sessionRows).toHaveLength(15)
})

describe('session list', () => {
  const sessionOf = (id: string, hidden = false) => ({ id, hidden }) as unknown as SessionView
  const runOf = (session: string, agent: string, kind = 'agent') =>
    ({ session, agent, kind }) as unknown as RunView

  it('leaves out what nobody talked in, and what was put away', () => {
    const sessions = [
      sessionOf('talk'),
      sessionOf('feed'),
      sessionOf('upload'),
      sessionOf('archived', true),
      sessionOf('new'),
      sessionOf('both'),
    ]
    const runs = [
      runOf('talk', 'assistant'),
      runOf('feed', 'feed'),
      runOf('upload', 'assistant', 'direct'),
      runOf('archived', 'assistant'),
      runOf('both', 'feed'),
      runOf('both', 'assistant'),
    ]
    expect(conversationsAmong(sessions, runs).map(({ id }) => id)).toEqual(['talk', 'new', 'both'])
  })
})
