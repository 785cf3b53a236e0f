import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Label } from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createContext, type OptionValues } from '../context.ts'
import { failed, written } from '../output/answer.ts'
import { failureOf } from '../output/failure.ts'
import { shortId } from '../short-id.ts'
import { usualFlags } from '../testing/flags.ts'
import { type FakeGateway, fakeGateway } from '../testing/gateway.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'
import { type FakeMemory, fakeMemory, memoryView } from '../testing/memory.ts'
import { memoryRows } from './rows/memory.ts'

const untrusted: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['example.org'] }
const nobody = `mem_${'0'.repeat(32)}`

let home: TestHome
let gateway: FakeGateway
let memory: FakeMemory
beforeEach(async () => {
  home = testHome()
  gateway = await fakeGateway(home.paths, home.establish())
  memory = fakeMemory()
  gateway.models.answer = (request) => memory.answer(request)
})
afterEach(async () => {
  await gateway.close()
  home.remove()
})

interface Given {
  readonly options?: OptionValues
  readonly json?: boolean
  readonly columns?: number
  /** Lines that are typed at a terminal, each once its question stands there. */
  readonly typed?: readonly string[]
}

async function command(verb: string, args: readonly string[] = [], given: Given = {}) {
  const row = memoryRows.find(({ name }) => name === `memory ${verb}`)
  if (!row) throw new Error(`There is no memory ${verb}.`)
  const host = testHost({
    home,
    WebSocket: gateway.WebSocket,
    terminal: given.typed !== undefined,
    values: { NO_COLOR: '1', TERM: 'dumb' },
    clock: () => new Date('2026-08-01T12:00:00.000Z'),
    ...(given.columns === undefined ? {} : { columns: given.columns }),
  })
  const json = given.json === true
  const flags = { ...usualFlags, json }
  const context = createContext(host, flags)
  const lines = [...(given.typed ?? [])]
  let asked = 0
  const typing = setInterval(() => {
    const seen = stripVTControlCharacters(host.written())
    if (seen.length === asked || !/[:?] $/.test(seen)) return
    asked = seen.length
    host.typed.write(`${lines.shift() ?? ''}\n`)
  }, 5)
  const handler = await row.load()
  const answer = await handler(context, args, given.options ?? {})
    .catch(async (error: unknown) => failed(await failureOf(error)))
    .finally(() => clearInterval(typing))
  const { output, errors, exit } = written(answer, json)
  return { text: stripVTControlCharacters(host.written()) + output, errors, exit }
}

const put = (...given: Parameters<typeof memoryView>) => {
  const view = memoryView(...given)
  memory.memories.push(view)
  return view.id
}

describe('memory list', () => {
  test('shows what is in use with where it came from, and says what waits', async () => {
    const id = put({
      content: 'Likes tea',
      type: 'preference',
      pinned: true,
      uses: 3,
      lastUsedAt: '2026-08-01T11:00:00.000Z',
    })
    put({ content: 'Owes money', status: 'suggested' })
    const { text, exit } = await command('list')
    expect(exit).toBe(0)
    expect(text.split('\n')).toEqual([
      'Memory     Type                Weight  From      Used     Since          Id',
      `Likes tea  preference, pinned  0.50    you said  3 times  3 h 0 min ago  ${shortId(id)}`,
      'One suggestion is pending and not used until you accept it: `countersign memory review`.',
      '',
    ])
  })

  test('has words for the beginning and for a filter that fits nothing', async () => {
    expect((await command('list')).text).toContain("Nothing yet. I'll show you before I use inferred facts.")
    expect((await command('list', [], { options: { type: 'event' } })).text).toContain('No memory matches.')
    expect((await command('list', [], { options: { status: 'rejected' } })).text).toContain(
      'No memory matches.',
    )
  })

  test('stacks in a narrow terminal, and is one document with --json', async () => {
    const id = put({ content: 'Likes tea' })
    const narrow = await command('list', [], { columns: 60 })
    expect(narrow.text).toMatch(/^Likes tea\n {2}Type {4}fact\n/)
    expect(JSON.parse((await command('list', [], { json: true })).text)).toMatchObject({
      ok: true,
      total: 1,
      waiting: 0,
      items: [{ id }],
    })
  })

  test('says when there are more, and refuses what is no status, type or number', async () => {
    for (let at = 0; at < 3; at += 1) put({ content: `Fact ${at}` })
    expect((await command('list', [], { options: { limit: '2' } })).text).toContain('2 of 3.')
    for (const options of [{ status: 'secret' }, { type: 'rumour' }, { limit: '0' }, { limit: '201' }])
      expect(await command('list', [], { options })).toMatchObject({ exit: 2 })
  })

  test('shows hostile words as harmless', async () => {
    put({ content: 'Likes \u202Etea\nand more', label: { ...untrusted, sources: ['evil\u001b[31m'] } })
    const { text } = await command('list')
    expect(['\u202E', '\u001B'].filter((sign) => text.includes(sign))).toEqual([])
    expect(text.split('\n')).toHaveLength(3)
  })
})

describe('memory search', () => {
  test('shows what fits with how well, and what to do when nothing does', async () => {
    put({ content: 'Likes tea' })
    expect((await command('search', ['tea'])).text).toContain('0.87')
    const { text, exit } = await command('search', ['elephant'])
    expect(exit).toBe(0)
    expect(text).toContain('Try other words')
    expect(await command('search', [' '])).toMatchObject({ exit: 2 })
  })
})

describe('memory show', () => {
  test('shows the words it came from, what it is worth and what to do next', async () => {
    const old = put({ content: 'Lives in Vienna', status: 'superseded' })
    const id = put({
      content: 'Lives in Graz',
      status: 'suggested',
      supersedes: old,
      confidence: 0.8,
      label: untrusted,
      source: { kind: 'inferred', excerpt: 'we moved\nto Graz' },
    })
    const { text } = await command('show', [id])
    for (const part of [
      'pending, not used',
      'inferred from example.org',
      '80 %',
      '│ to Graz',
      'Lives in Vienna',
      '--accept',
    ])
      expect(text).toContain(part)
    expect(await command('show', [nobody])).toMatchObject({ exit: 3 })
    expect(await command('show', ['7'])).toMatchObject({ exit: 2 })
  })
})

describe('memory add and edit', () => {
  test('add a fact unless told otherwise, and say when it was known', async () => {
    const { text } = await command('add', ['Likes tea'], {
      options: { importance: '0.8', tags: 'kitchen, tea', pin: true },
    })
    expect(text).toMatch(/^I remember it as [0-9a-f]{8}\. {2}Ledger #7\n$/)
    expect(memory.memories).toMatchObject([
      { content: 'Likes tea', type: 'fact', importance: 0.8, tags: ['kitchen', 'tea'], pinned: true },
    ])
    expect((await command('add', ['Likes tea'])).text).toContain('You had that already')
  })

  test('change what is named, and correct with the earlier words kept', async () => {
    const id = put({ content: 'Lives in Vienna' })
    expect(
      (await command('edit', [id], { options: { importance: '1', goal: 'none', unpin: true } })).text,
    ).toContain('importance, goal, pinned')
    const corrected = await command('edit', [id], { options: { content: 'Lives in Graz', correct: true } })
    expect(corrected.text).toContain('The old text is kept')
    expect(memory.memories.map(({ status }) => status)).toEqual(['superseded', 'active'])
  })

  test('refuse nothing to change, numbers out of range, and options that contradict', async () => {
    const id = put({ content: 'A' })
    for (const options of [
      {},
      { importance: '1.5' },
      { importance: '' },
      { type: 'rumour' },
      { pin: true, unpin: true },
      { correct: true },
      { correct: true, content: 'B', pin: true },
    ])
      expect(await command('edit', [id], { options }), JSON.stringify(options)).toMatchObject({ exit: 2 })
    expect(await command('add', [' '])).toMatchObject({ exit: 2 })
    expect(memory.asked.filter(({ method }) => method !== 'GET')).toEqual([])
  })
})

describe('memory forget', () => {
  beforeEach(() => {
    put({ content: 'The dentist is Dr Brown' })
    put({ content: 'Dentist on Friday', status: 'suggested' })
    put({ content: 'Likes tea' })
    memory.traces = 3
  })

  test('with --dry-run says what would go and leaves it', async () => {
    const { text, exit } = await command('forget', ['dentist'], { options: { dryRun: true } })
    expect(exit).toBe(0)
    expect(text).toContain('Dr Brown')
    expect(text).toContain(
      'This would be erased permanently: 2 memories, their entries in the search index and their words in 3 places of summaries and logs.',
    )
    expect(text).toContain('stays in the conversation')
    expect(memory.memories).toHaveLength(3)
  })

  test('asks at a terminal, and forgets only after yes', async () => {
    for (const typed of ['', 'y', 'no'])
      expect((await command('forget', ['dentist'], { typed: [typed] })).text).toContain(
        'Nothing was forgotten.',
      )
    expect(memory.memories).toHaveLength(3)
    const { text } = await command('forget', ['dentist'], { typed: ['yes'] })
    expect(text).toContain('Forget these 2?')
    expect(text).toContain('Forgotten for good')
    expect(text).toContain('Ledger #7')
    expect(memory.memories.map(({ content }) => content)).toEqual(['Likes tea'])
  })

  test('without a terminal needs --yes', async () => {
    expect(await command('forget', ['dentist'])).toMatchObject({ exit: 2 })
    expect(memory.memories).toHaveLength(3)
    const id = memory.memories[2]?.id ?? ''
    expect((await command('forget', [id], { options: { yes: true }, json: true })).text).toContain(
      '"forgotten":true',
    )
    expect(memory.memories).toHaveLength(2)
  })

  test('does nothing where nothing matches, and nothing for an id that is not there', async () => {
    expect((await command('forget', ['elephant'], { options: { yes: true } })).text).toContain(
      'No memory contains',
    )
    expect(await command('forget', [nobody], { options: { yes: true } })).toMatchObject({ exit: 3 })
    expect(await command('forget', [' '], { options: { yes: true } })).toMatchObject({ exit: 0 })
    expect(memory.memories).toHaveLength(3)
  })
})

describe('memory review', () => {
  const suggestion = () =>
    put({
      content: 'Lives in Graz',
      status: 'suggested',
      confidence: 0.6,
      label: untrusted,
      source: { kind: 'inferred', excerpt: 'we moved to Graz' },
    })

  test('lists each with the words it came from, and says when nothing waits', async () => {
    expect((await command('review')).text).toContain('No suggestions.')
    const id = suggestion()
    const { text } = await command('review')
    expect(text).toContain(`fact, inferred from example.org, 60 % sure, 3 h 0 min ago  ${shortId(id)}`)
    expect(text).toContain('│ we moved to Graz')
    expect(text).toContain('None is used before that.')
  })

  test('accepts, in other words too, and rejects by name', async () => {
    const [first, second] = [suggestion(), suggestion()]
    const accepted = await command('review', [first], {
      options: { accept: true, content: 'Lives near Graz' },
    })
    expect(accepted.text).toContain('is in use.  Ledger #7')
    expect((await command('review', [second], { options: { reject: true } })).text).toContain(
      'not suggested again',
    )
    expect(memory.memories).toMatchObject([
      { content: 'Lives near Graz', status: 'active' },
      { content: 'Lives in Graz', status: 'rejected' },
    ])
  })

  test('goes through them at a terminal; Enter alone leaves one as it is', async () => {
    for (let at = 0; at < 5; at += 1) suggestion()
    const { text } = await command('review', [], { typed: ['a', '', 'r', 'e', 'Lives near Graz', 'q'] })
    expect(text).toContain('2 accepted, 1 rejected, 2 left. Suggestions without a decision are not used.')
    expect(memory.memories.map(({ status }) => status)).toEqual([
      'active',
      'suggested',
      'rejected',
      'active',
      'suggested',
    ])
    expect(memory.memories[3]?.content).toBe('Lives near Graz')
  })

  test('refuses a decision about nothing, and two at once', async () => {
    const id = suggestion()
    expect(await command('review', [], { options: { accept: true } })).toMatchObject({ exit: 2 })
    expect(await command('review', [id], { options: { accept: true, reject: true } })).toMatchObject({
      exit: 2,
    })
    expect(await command('review', [id], { options: { content: 'B' } })).toMatchObject({ exit: 2 })
    expect(await command('review', ['7'], { options: { accept: true } })).toMatchObject({ exit: 2 })
    expect(memory.memories[0]?.status).toBe('suggested')
  })
})

describe('memory stats, export and never', () => {
  test('count by kind, and have words for nothing', async () => {
    expect((await command('stats')).text).toContain('Nothing yet.')
    put({ content: 'A' })
    put({ content: 'B' })
    put({ content: 'C', status: 'suggested' })
    const { text } = await command('stats')
    expect(text).toMatch(/^In use +2 +2 facts$/m)
    expect(text).toContain('countersign memory review')
  })

  test('write every memory on a line, of every state, into a file that only its owner reads', async () => {
    for (let at = 0; at < 205; at += 1) put({ content: `Fact ${at}`, status: at % 2 ? 'active' : 'rejected' })
    expect((await command('export')).text.trim().split('\n')).toHaveLength(205)
    const out = join(home.folder, 'memories.jsonl')
    expect((await command('export', [], { options: { out }, json: true })).text).toContain('"memories":205')
    expect(readFileSync(out, 'utf8').trim().split('\n')).toHaveLength(205)
    expect(statSync(out).mode & 0o777).toBe(0o600)
    expect(await command('export', [], { json: true })).toMatchObject({ exit: 2 })
  })

  test('keep the list of words that are refused', async () => {
    expect((await command('never')).text).toContain('The list is empty.')
    put({ content: 'My salary is fine' })
    const added = await command('never', ['my salary'])
    expect(added.text).toContain('Nothing with “my salary” will be remembered.  Ledger #7')
    expect(added.text).toContain('One memory contains these words already.')
    expect((await command('never')).text).toMatch(/^my salary {2}3 h 0 min ago {2}never_1$/m)
    expect(await command('never', ['more'], { options: { rm: 'never_1' } })).toMatchObject({ exit: 2 })
    expect((await command('never', [], { options: { rm: 'never_1' } })).text).toContain(
      'Removed from the list.',
    )
    expect(memory.never).toEqual([])
  })
})

test('every row loads its command and has an example that begins with it', async () => {
  for (const { name, load, examples } of memoryRows) {
    expect(typeof (await load()), name).toBe('function')
    for (const example of examples) expect(example.startsWith(`countersign ${name}`), example).toBe(true)
  }
  expect(memoryRows.map(({ name }) => name.split(' ')[1])).toEqual(
    'search list show add edit forget review stats export never'.split(' '),
  )
})
