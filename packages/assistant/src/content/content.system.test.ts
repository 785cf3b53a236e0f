import type { EmbeddingPort } from '@countersign/agent'
import { entriesOf, type Label, type SessionId } from '@countersign/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { removeSession } from '../history/remove.ts'
import { openTestHistory, type TestHistory } from '../history/testing/test-history.ts'
import { recallMigration } from '../memory/recall/migration.ts'
import { between, freeMeter, lookupEmbeddings, unitVector } from '../memory/recall/testing/made-vectors.ts'
import { type Content, createContent } from './content.ts'
import type { WorkspaceText } from './files.ts'
import { searchedMailMigration } from './mail/migration.ts'
import { contentMigration } from './migration.ts'
import { prune } from './prune.ts'

const at = new Date('2026-03-01T12:00:00.000Z')
const strangers: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['example.org'] }
const desk = { kind: 'operator' as const, id: 'desk' }

let test: TestHistory
let content: Content
let workspace: Map<string, WorkspaceText>
/** Texts that mean the same, whatever their words. */
let meanings: Map<string, Float32Array>

beforeAll(async () => {
  test = await openTestHistory([recallMigration, contentMigration, searchedMailMigration])
})
afterAll(() => test.close())
beforeEach(() => {
  workspace = new Map()
  meanings = new Map()
  content = open(lookupEmbeddings(meanings))
})
afterEach(async () => {
  await content.close()
  await test.owner.within(test.context.operator, async ({ db }) => {
    for (const table of ['content_index', 'content_pending', 'content_files', 'records'])
      await sql`delete from ${sql.table(table)}`.execute(db)
  })
})

function open(embeddings: EmbeddingPort, redact = (text: string) => text): Content {
  return createContent({
    context: test.context,
    embeddings,
    backgroundMeter: freeMeter,
    files: {
      list: async () => [...workspace].map(([path, { version }]) => ({ path, version })),
      read: async (path) => workspace.get(path),
      versionOf: async (path) => workspace.get(path)?.version,
    },
    redact,
    lookAtMail: () => undefined,
    wait: () => Promise.resolve(),
    filesEveryMs: 0,
  })
}

async function settle(): Promise<void> {
  for (let steps = 0; steps < 50; steps += 1) if ((await content.step()).kind !== 'embedded') return
  throw new Error('It does not come to rest.')
}
const ask = async (collection: string, text: string) => {
  const vector = meanings.get(text)
  const meaning = vector ? { model: 'test/one', vector } : null
  const found = await content.search({ collection, text, meaning, limit: 5 })
  return found.map((each) => each.text)
}
const mean = (...texts: string[]) => {
  const [one, other] = [unitVector(8, meanings.size + 1), unitVector(8, 99)]
  for (const [place, text] of texts.entries()) meanings.set(text, between(one, other, place / 50))
}
const talk = (user: string, label?: Label) =>
  test.seed({ at, turns: [{ user, ...(label ? { label } : {}) }], ...(label ? { label } : {}) })
const note = (id: string, text: string, label: Label | null = null) =>
  test.change(({ records }) => records.insert('notes', id, { title: '', content: text }, label))
const rowsOf = async (table: string, words: string) =>
  test.owner.within(test.context.operator, async ({ db }) => {
    const { rows } = await sql<{
      all: string
    }>`select ${sql.table(table)}::text as all from ${sql.table(table)}`.execute(db)
    return rows.filter((row) => row.all.includes(words)).length
  })

describe('conversations', () => {
  it('are found by meaning without a shared word, with the label of the message', async () => {
    mean('The dinghy lies at the pier', 'where is my boat')
    await talk('The dinghy lies at the pier', strangers)
    await talk('We bought a new oven')
    await settle()
    const [found] = await content.search({
      collection: 'conversations',
      text: 'where is my boat',
      meaning: { model: 'test/one', vector: meanings.get('where is my boat') ?? new Float32Array(8) },
      limit: 1,
    })
    expect(found).toMatchObject({ text: 'The dinghy lies at the pier', label: strangers })
  })

  it('are not found by their title, which every message of them would be', async () => {
    await test.seed({ at, title: 'The dinghy', turns: [{ user: 'It lies at the pier' }] })
    expect(await ask('conversations', 'dinghy')).toEqual([])
    expect(await ask('conversations', 'pier')).toEqual(['It lies at the pier'])
  })

  it('are found by words at once, before anybody embeds them', async () => {
    await talk('The dinghy lies at the pier')
    expect(await ask('conversations', 'dinghy')).toEqual(['The dinghy lies at the pier'])
  })

  it('that are erased leave the index in the transaction that erases them', async () => {
    mean('The dinghy lies at the pier', 'where is my boat')
    const { session } = await talk('The dinghy lies at the pier')
    await settle()
    expect(await ask('conversations', 'where is my boat')).toHaveLength(1)
    await test.change((tx) => removeSession(tx, session, desk))
    for (const table of ['content_index', 'content_words']) expect(await rowsOf(table, 'dinghy')).toBe(0)
    expect(await ask('conversations', 'where is my boat')).toEqual([])
    await settle()
    expect(await ask('conversations', 'dinghy')).toEqual([])
  })

  it('that are erased while their pieces are being made are not found', async () => {
    const { session } = await talk('The dinghy lies at the pier')
    await settle()
    // As if the pieces had been written by somebody who read the message a moment too early.
    const rows = await test.change(({ db }) => sql`select * from content_index`.execute(db))
    expect(rows.rows).toHaveLength(1)
    await test.change((tx) => removeSession(tx, session, desk))
    await test.owner.within(test.context.operator, ({ db }) =>
      sql`insert into content_index (operator_id, id, type, source, title, text, at, words)
        values (${test.context.operator}, 'late', 'conversations', ${`${session}/1`}, '', 'dinghy', now(), to_tsvector('dinghy'))`.execute(
        db,
      ),
    )
    expect(await ask('conversations', 'dinghy')).toEqual([])
  })

  it('that were forgotten in part are not found by that part', async () => {
    const { session } = await talk('The dinghy lies at the pier')
    await settle()
    const { rows } = await test.change(({ db }) =>
      sql<{ position: number }>`select position from messages where session_id = ${session}`.execute(db),
    )
    await test.change(({ db }) =>
      sql`insert into forgotten_messages values (${test.context.operator}, ${session}, ${rows[0]?.position})`.execute(
        db,
      ),
    )
    expect(await ask('conversations', 'dinghy')).toEqual([])
    await settle()
    expect(await ask('conversations', 'dinghy')).toEqual([])
  })

  it('of a trial, and of readers, are not found', async () => {
    const { session } = await talk('The dinghy lies at the pier')
    const reader = await talk('A dinghy of a web page')
    await test.owner.within(test.context.operator, async ({ db }) => {
      await sql`insert into session_origins (operator_id, session_id, kind, simulated, at)
        values (${test.context.operator}, ${session}, 'fork', true, now())`.execute(db)
      await sql`update runs set answers = ${'call'} where id = ${reader.run}`.execute(db)
    })
    expect(await ask('conversations', 'dinghy')).toEqual([])
  })

  it('leave the index by age, and by number, the oldest first', async () => {
    for (const [place, text] of ['dinghy one', 'dinghy two', 'dinghy three'].entries())
      await test.seed({ at: new Date(at.getTime() + place * 86_400_000), turns: [{ user: text }] })
    await settle()
    const left = (days: number, pieces: number) =>
      test.change(({ db }) =>
        prune(db, test.context.operator, new Date(at.getTime() + 3 * 86_400_000), {
          pieces,
          days,
        }),
      )
    expect(await left(2.5, 100)).toBe(1)
    expect(await left(100, 1)).toBe(1)
    expect(await ask('conversations', 'dinghy')).toEqual(['dinghy three'])
  })
})

describe('notes', () => {
  it('are found by what they say now, and a changed one leaves at once', async () => {
    mean('Cut the hedge', 'gardening')
    await note('a', 'Cut the hedge', strangers)
    await settle()
    expect(await ask('notes', 'gardening')).toEqual(['Cut the hedge'])
    await test.change(({ records }) =>
      records.replace('notes', 'a', 1, { title: '', content: 'Buy oil' }, null),
    )
    expect(await rowsOf('content_words', 'hedg')).toBe(0)
    await settle()
    expect(await ask('notes', 'hedge')).toEqual([])
    expect(await ask('notes', 'oil')).toEqual(['Buy oil'])
    await test.change(({ records }) => records.remove('notes', 'a', 2))
    expect(await ask('notes', 'oil')).toEqual([])
  })

  it('that are long are found by their best piece, once', async () => {
    const filler = Array.from({ length: 200 }, (_, line) => `Line ${line} of nothing much.`).join('\n')
    await note('a', `${filler}\nThe dinghy is green.\n${filler}\nAnother dinghy.`)
    await settle()
    const [found, ...others] = await ask('notes', 'green dinghy')
    expect(found).toContain('The dinghy is green.')
    expect(found?.length).toBeLessThanOrEqual(1_000)
    expect(others).toEqual([])
  })

  it('go to a model without the secrets in them', async () => {
    const embeddings = lookupEmbeddings(meanings)
    await content.close()
    content = open(embeddings, (text) => text.replaceAll('hunter2', '[secret]'))
    await note('a', 'The password is hunter2')
    await settle()
    expect(embeddings.asked.flat().join()).toContain('The password is [secret]')
    expect(embeddings.asked.flat().join()).not.toContain('hunter2')
  })
})

describe('files', () => {
  const put = (path: string, text: string | null, version = text ?? '') =>
    workspace.set(path, { text, version, at })

  it('are found by words, changed ones by what they say now, and those that are gone not at all', async () => {
    put('boat.md', 'The dinghy lies at the pier')
    put('photo.raw', null, 'bytes')
    await settle()
    expect(await ask('files', 'dinghy')).toEqual(['The dinghy lies at the pier'])
    put('boat.md', 'The dinghy is sold')
    // Not what it said before, though nobody has read it again yet.
    expect(await ask('files', 'pier')).toEqual([])
    await settle()
    expect(await ask('files', 'dinghy')).toEqual(['The dinghy is sold'])
    workspace.delete('boat.md')
    expect(await ask('files', 'dinghy')).toEqual([])
    await settle()
    expect(await rowsOf('content_index', 'dinghy')).toBe(0)
  })

  it('go to no model but one of this machine', async () => {
    put('boat.md', 'The dinghy lies at the pier')
    const away = lookupEmbeddings(meanings)
    await content.close()
    content = open(away)
    await note('a', 'Cut the hedge')
    await settle()
    expect(away.asked.flat()).toEqual(['Cut the hedge'])
    await content.close()
    const here = lookupEmbeddings(meanings)
    content = open({ ...here, isLocal: () => Promise.resolve(true) })
    await settle()
    expect(here.asked.flat()).toContain('boat.md\nThe dinghy lies at the pier')
  })

  it('bring the mark of the file as it is when they are found', async () => {
    put('mail/offer.md', 'The dinghy is cheap')
    await settle()
    await test.owner.within(test.context.operator, ({ db }) =>
      sql`insert into file_labels (operator_id, path, label, marked_at)
        values (${test.context.operator}, 'mail/offer.md', ${JSON.stringify(strangers)}::json, now())`.execute(
        db,
      ),
    )
    const [found] = await content.search({ collection: 'files', text: 'dinghy', meaning: null, limit: 1 })
    expect(found?.label).toEqual(strangers)
  })
})

describe('collections of the operator', () => {
  const entry = (id: string, text: string, label: Label | null = null) =>
    test.change(({ records }) => records.insert(entriesOf('boats'), id, { text }, label))
  const keep = (id: string, vector: Float32Array, model: string) =>
    test.change(({ db }) => content.toolServices(db).keep('boats', [{ id, vector }], model))

  it('are searched by the vectors that were kept, and by no other model’s', async () => {
    mean('dinghy', 'small boat')
    await entry('a', 'dinghy', strangers)
    await entry('b', 'oven')
    const vector = meanings.get('dinghy') ?? new Float32Array(8)
    await keep('a', vector, 'test/two')
    await keep('b', unitVector(8, 5), 'test/one')
    // The vector of the other model would be the nearest.
    expect(await ask('boats', 'small boat')).toEqual(['oven'])
    await keep('a', vector, 'test/one')
    expect(await ask('boats', 'small boat')).toEqual(['dinghy', 'oven'])
    const facts = await test.change(({ db }) => content.toolServices(db).facts())
    expect(facts.get('boats')).toEqual({ texts: 2, embedded: 2, model: 'test/one', dimensions: 8 })
  })

  it('are embedded anew in the background after a change or another model', async () => {
    mean('dinghy', 'small boat')
    await entry('a', 'oven')
    await keep('a', unitVector(8, 5), 'test/one')
    await test.change(({ records }) => records.replace(entriesOf('boats'), 'a', 1, { text: 'dinghy' }, null))
    const facts = async () => (await test.change(({ db }) => content.toolServices(db).facts())).get('boats')
    expect(await facts()).toMatchObject({ texts: 1, embedded: 0 })
    await settle()
    expect(await facts()).toMatchObject({ texts: 1, embedded: 1, model: 'test/one' })
    await content.close()
    content = open(lookupEmbeddings(meanings, { model: 'test/three' }))
    await settle()
    expect(await facts()).toMatchObject({ model: 'test/three' })
  })

  it('do not mix with one another, nor with what begins with the same name', async () => {
    await entry('a', 'dinghy')
    await test.change(({ records }) => records.insert(entriesOf('boats2'), 'a', { text: 'dinghy too' }, null))
    expect(await ask('boats', 'dinghy')).toEqual(['dinghy'])
    expect(await ask('notes', 'dinghy')).toEqual([])
  })
})

it('is bounded in what it reads: a batch at a time, and pieces of each', async () => {
  const sessions: SessionId[] = []
  for (let each = 0; each < 3; each += 1) sessions.push((await talk('x '.repeat(40_000))).session)
  await settle()
  expect(await rowsOf('content_index', 'conversations')).toBe(3 * 50)
})
