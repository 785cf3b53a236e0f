import {
  entriesOf,
  type JsonObject,
  type Label,
  mailAccountsCollection,
  vectorCollections,
} from '@countersign/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { createCatalogue } from '../catalogue.ts'
import { historyTools } from '../history/index.ts'
import { emailTools } from '../mail/index.ts'
import { notesTools } from '../notes/index.ts'
import { recordsTools } from '../records/index.ts'
import { createRecordToolRunner, type RecordToolRunner } from '../testing/record-tool-runner.ts'
import { mostAtOnce, mostCollections, mostEntries } from './entries.ts'
import { vectorTools } from './index.ts'

const strangers: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['example.org'] }

let test: RecordToolRunner
let asked: string[][]
/** Two texts are near when they begin with the same letter. */
const vectorFor = (text: string) => {
  const vector = new Float32Array(26)
  vector[text.toLowerCase().charCodeAt(0) - 97] = 1
  return vector
}

beforeEach(() => {
  asked = []
  test = createRecordToolRunner({ catalogue: createCatalogue([...notesTools, ...historyTools]) })
  test.embed = (texts) => {
    asked.push([...texts])
    return Promise.resolve({ kind: 'embedded', model: 'test/one', vectors: texts.map(vectorFor) })
  }
})

async function use(name: string, args: JsonObject) {
  const tool = [...vectorTools, ...recordsTools].find((each) => each.name === name)
  if (!tool) throw new Error(`There is no ${name}.`)
  return (await test.use(tool, args)).result
}
const accountOf = (name: string) => {
  const server = { host: `${name}.example.org`, port: 993, security: 'tls' }
  const who = { address: `me@${name}.example`, displayName: '', user: 'me' }
  return { name, ...who, imap: server, smtp: server, secret: `mail.${name}` }
}
const undo = async (result: Awaited<ReturnType<typeof use>>) =>
  use(result.undo?.tool ?? '', JSON.parse(result.undo?.args ?? '{}') as JsonObject)
const textsIn = async (collection: string) =>
  (await test.records.list(entriesOf(collection), { limit: 100 })).records
    .map(({ id, data }) => [id, data['text']] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
const recipes = async () => {
  await use('create_vector_collection', { name: 'recipes' })
  return use('upsert_vectors', {
    collection: 'recipes',
    vectors: [
      { id: 'a', text: 'apple pie' },
      { id: 'b', text: 'bread' },
    ],
  })
}

describe('a text', () => {
  it('becomes its vector, with the model that made it', async () => {
    const { ok, text } = await use('create_embedding', { text: 'boat' })
    expect(ok).toBe(true)
    expect(JSON.parse(text)).toMatchObject({ model: 'test/one', dimensions: 26, vector: { 0: 0, 1: 1 } })
  })

  it('is compared with another', async () => {
    expect((await use('similarity_score', { text1: 'boat', text2: 'bridge' })).text).toContain('1.000')
    expect((await use('similarity_score', { text1: 'boat', text2: 'tree' })).text).toContain('0.000')
  })

  it('that cannot be embedded says why, and what to do', async () => {
    test.embed = () => Promise.resolve({ kind: 'failed', reason: 'the budget is spent' })
    for (const [tool, args] of [
      ['create_embedding', { text: 'boat' }],
      ['similarity_score', { text1: 'a', text2: 'b' }],
    ] as const) {
      const { ok, text } = await use(tool, args)
      expect(ok).toBe(false)
      expect(text).toContain('the budget is spent')
      expect(text).toContain('countersign provider add local-embeddings')
    }
  })

  it('is refused where it is longer than a model reads', async () => {
    await expect(use('create_embedding', { text: 'x'.repeat(8_001) })).rejects.toThrow('text')
    expect(asked).toEqual([])
  })
})

describe('a collection', () => {
  it('is made, undone, and made again', async () => {
    const made = await use('create_vector_collection', { name: 'recipes', description: 'What we cook' })
    expect(await test.records.get(vectorCollections, 'recipes')).toMatchObject({
      data: { description: 'What we cook' },
    })
    const undone = await undo(made)
    expect(await test.records.get(vectorCollections, 'recipes')).toBeUndefined()
    await undo(undone)
    expect(await test.records.get(vectorCollections, 'recipes')).toBeDefined()
  })

  it('is not undone while texts lie in it', async () => {
    const made = await use('create_vector_collection', { name: 'recipes' })
    await use('upsert_vectors', { collection: 'recipes', vectors: [{ id: 'a', text: 'apple' }] })
    await expect(undo(made)).rejects.toThrow('would be lost')
  })

  it.each(['notes', 'files', 'conversations', 'Recipes', '1st', 'a b', 'a:b', '../x'])(
    'cannot be called %s',
    async (name) => {
      await expect(use('create_vector_collection', { name })).rejects.toThrow()
    },
  )

  it('is one of a bounded number', async () => {
    for (let each = 0; each < mostCollections; each += 1)
      await test.records.insert(vectorCollections, `c${each}`, {}, null)
    await expect(use('create_vector_collection', { name: 'more' })).rejects.toThrow('which is the most')
  })

  it('is listed with what it has, beside those that are kept by themselves', async () => {
    await recipes()
    const { text } = await use('list_vector_collections', {})
    expect(text).toContain('"name":"recipes","texts":2')
    for (const name of ['conversations', 'notes', 'files']) expect(text).toContain(`"name":"${name}"`)
  })
})

describe('texts of a collection', () => {
  it('are added with vectors, replaced, and undone to what they were', async () => {
    await recipes()
    expect(asked).toEqual([['apple pie', 'bread']])
    const replaced = await use('upsert_vectors', {
      collection: 'recipes',
      vectors: [
        { id: 'b', text: 'buns' },
        { id: 'c', text: 'cake' },
      ],
    })
    expect(await textsIn('recipes')).toEqual([
      ['a', 'apple pie'],
      ['b', 'buns'],
      ['c', 'cake'],
    ])
    await undo(replaced)
    expect(await textsIn('recipes')).toEqual([
      ['a', 'apple pie'],
      ['b', 'bread'],
    ])
  })

  it('are deleted, and undone', async () => {
    await recipes()
    const deleted = await use('delete_vectors', { collection: 'recipes', ids: ['a', 'b'] })
    expect(await textsIn('recipes')).toEqual([])
    await undo(deleted)
    expect(await textsIn('recipes')).toEqual([
      ['a', 'apple pie'],
      ['b', 'bread'],
    ])
    await expect(use('delete_vectors', { collection: 'recipes', ids: ['a', 'z'] })).rejects.toThrow('no z')
  })

  it('are kept without a model, and the answer says how they are found', async () => {
    test.embed = () => Promise.resolve({ kind: 'failed', reason: 'no model' })
    const { ok, text } = await recipes()
    expect(ok).toBe(true)
    expect(text).toContain('by their words until they are embedded: no model')
  })

  it('remember what led to them, and whoever finds them takes that in', async () => {
    await use('create_vector_collection', { name: 'recipes' })
    test.label = strangers
    await use('upsert_vectors', { collection: 'recipes', vectors: [{ id: 'a', text: 'apple pie' }] })
    test.label = { integrity: 'operator', confidentiality: 'public', sources: [] }
    const found = await use('semantic_search', { query: 'apples', collection: 'recipes' })
    expect(found.label).toEqual(strangers)
    expect(found.text).toContain('"untrusted":["example.org"]')
  })

  it.each([
    [
      'two with one id',
      {
        vectors: [
          { id: 'a', text: 'x' },
          { id: 'a', text: 'y' },
        ],
      },
    ],
    [
      'more at once',
      { vectors: Array.from({ length: mostAtOnce + 1 }, (_, id) => ({ id: `${id}`, text: 'x' })) },
    ],
    ['much metadata', { vectors: [{ id: 'a', text: 'x', metadata: { long: 'x'.repeat(2_000) } }] }],
    ['nested metadata', { vectors: [{ id: 'a', text: 'x', metadata: { deep: {} } }] }],
    ['an empty text', { vectors: [{ id: 'a', text: '  ' }] }],
    ['another collection', { collection: 'nowhere', vectors: [{ id: 'a', text: 'x' }] }],
    ['one that is kept by itself', { collection: 'notes', vectors: [{ id: 'a', text: 'x' }] }],
  ])('are refused: %s', async (_, args) => {
    await use('create_vector_collection', { name: 'recipes' })
    await expect(use('upsert_vectors', { collection: 'recipes', ...args })).rejects.toThrow()
    expect(await textsIn('recipes')).toEqual([])
  })

  it('are no more than a collection can have', async () => {
    await use('create_vector_collection', { name: 'recipes' })
    const full = { ...test.records, count: async () => new Map([[entriesOf('recipes'), mostEntries]]) }
    const tool = vectorTools.find(({ name }) => name === 'upsert_vectors')
    if (tool?.runs !== 'gateway') throw new Error('It runs elsewhere.')
    const args = { collection: 'recipes', vectors: [{ id: 'a', text: 'x' }] }
    const found = await tool.effects(args, { ...test.context, records: full })
    expect(found).toMatchObject({ kind: 'invalid', reason: expect.stringContaining('can have 10000') })
  })
})

describe('a search', () => {
  it('gives the nearest first, ten unless more are asked for, and never more than fifty', async () => {
    await recipes()
    const { text } = await use('semantic_search', { query: 'buns', collection: 'recipes', topK: 1 })
    expect(text).toContain('"id":"b"')
    expect(text).not.toContain('"id":"a"')
    const [limit] = vectorTools.flatMap((tool) => (tool.name === 'semantic_search' ? [tool.limit] : []))
    expect(limit).toEqual({ param: 'topK', max: 50, default: 10 })
  })

  it('looks only into what may be read otherwise', async () => {
    for (const name of ['notes', 'conversations'])
      expect((await use('semantic_search', { query: 'x', collection: name })).ok).toBe(true)
    const files = await use('semantic_search', { query: 'x', collection: 'files' })
    expect(files).toMatchObject({ ok: false, text: expect.stringContaining('read_file is not among') })
  })

  it('of e-mails names the accounts and their servers, and tells what read_email opens', async () => {
    test = createRecordToolRunner({ catalogue: createCatalogue(emailTools) })
    const [tool] = vectorTools.filter((each) => each.name === 'semantic_search')
    if (tool?.runs !== 'gateway') throw new Error('no tool')
    const args = { query: 'x', collection: 'emails', topK: 1 }
    expect(await tool.effects(args, test.context)).toMatchObject({
      kind: 'invalid',
      reason: expect.stringContaining('countersign mail searchable'),
    })
    for (const name of ['home', 'work'])
      await test.records.insert(mailAccountsCollection, name, accountOf(name), null)
    test.assistant.content.searched.push('home', 'work')
    const resourcesOf = async (more: JsonObject = {}) => {
      const found = await tool.effects({ ...args, ...more }, test.context)
      return found.kind === 'found' ? found.resources : []
    }
    expect(await resourcesOf()).toMatchObject([
      { collection: 'emails', id: '*' },
      { collection: 'emails', id: 'home', server: 'home.example.org' },
      { collection: 'emails', id: 'work', server: 'work.example.org' },
    ])
    expect(await resourcesOf({ account: 'work' })).toHaveLength(2)
    const source = 'home/Lists%2FBoats/7/3'
    const at = '2026-03-05T09:59:00.000Z'
    test.assistant.content.found.push({
      collection: 'emails',
      source,
      title: '',
      text: 'y',
      at,
      score: 1,
      label: strangers,
    })
    const { text, label } = await use('semantic_search', args)
    expect(text).toContain(`{"id":"${source}","account":"home","folder":"Lists/Boats","text":"y"`)
    expect(label).toEqual(strangers)
  })

  it('of e-mails is nothing for who may not read them', async () => {
    test.assistant.content.searched.push('home')
    await test.records.insert(mailAccountsCollection, 'home', accountOf('home'), null)
    const found = await use('semantic_search', { query: 'x', collection: 'emails' })
    expect(found).toMatchObject({ ok: false, text: expect.stringContaining('read_email is not among') })
  })

  it('of a collection that is not there says how to find one', async () => {
    const { ok, text } = await use('semantic_search', { query: 'x', collection: 'nowhere' })
    expect(ok).toBe(false)
    expect(text).toContain('list_vector_collections')
  })

  it('says that words answer alone where there is no model', async () => {
    await recipes()
    test.embed = () => Promise.resolve({ kind: 'failed', reason: 'no model is there' })
    expect((await use('semantic_search', { query: 'buns', collection: 'recipes' })).text).toContain(
      'By words alone, since no model is there.',
    )
  })
})
