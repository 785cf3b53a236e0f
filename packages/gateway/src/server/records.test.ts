import { randomUUIDv7 } from 'node:crypto'
import { CountersignError, errorCatalogue, idFrom, type JsonObject, type Label } from '@countersign/contract'
import { createMemoryRecords } from '@countersign/tools/testing'
import { OpenAPIHono } from '@hono/zod-openapi'
import { beforeEach, describe, expect, it } from 'vitest'
import { bareUnit } from '../testing/bare-unit.ts'
import { addRecordRoutes, type RecordRoutesOptions } from './records.ts'
import type { RequestSender } from './request-sender.ts'
import type { Env } from './route.ts'

const speaker: RequestSender = {
  operator: idFrom('op', randomUUIDv7()),
  device: idFrom('dev', randomUUIDv7()),
  actor: { kind: 'operator', id: 'laptop' },
  reach: 3,
}
const untrusted: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['example.org'] }

interface ToldEntry {
  readonly record: { readonly id: string; readonly data: JsonObject; readonly label: Label | null }
  readonly items: readonly { readonly id: string; readonly data: JsonObject }[]
  readonly total: number
}

function openRecordsApp() {
  const memory = createMemoryRecords()
  const ledger: { type: string; actor: string; data: JsonObject }[] = []
  const port: RecordRoutesOptions['records'] = {
    read: (_, work) => work({ ...bareUnit, records: memory, now: memory.now }),
    async change(_, work) {
      const entries: typeof ledger = []
      const value = await work({
        ...bareUnit,
        records: memory,
        now: memory.now,
        record: ({ type, actor, data }) => entries.push({ type, actor: actor.id, data }),
      })
      ledger.push(...entries)
      return { value, ledger: ledger.length }
    },
  }
  const app = new OpenAPIHono<Env>()
  app.onError((error, context) => {
    if (!(error instanceof CountersignError)) throw error
    return context.json({ code: error.code, message: error.message }, errorCatalogue[error.code].http)
  })
  app.use('*', async (context, next) => {
    context.set('speaker', speaker)
    await next()
  })
  addRecordRoutes(app, { records: port, uuid: randomUUIDv7 })

  async function send(
    method: string,
    path: string,
    body?: JsonObject | string,
    headers: Record<string, string> = {},
  ) {
    const text = typeof body === 'object' ? JSON.stringify(body) : body
    const response = await app.request(path, {
      method,
      headers,
      ...(text === undefined ? {} : { body: text }),
    })
    return {
      status: response.status,
      etag: response.headers.get('etag'),
      body: (await response.json()) as ToldEntry,
    }
  }
  return { app, memory, ledger, send }
}

let recordsApp: ReturnType<typeof openRecordsApp>
beforeEach(() => {
  recordsApp = openRecordsApp()
})

const kinds: readonly {
  path: string
  added: JsonObject
  changes: JsonObject
  wrong: JsonObject
  title: string
}[] = [
  {
    path: 'tasks',
    added: { title: 'A' },
    changes: { status: 'completed' },
    wrong: { title: '' },
    title: 'A',
  },
  {
    path: 'bookmarks',
    added: { url: 'https://a.example/x' },
    changes: { isFavorite: true },
    wrong: { url: 'javascript:alert(1)' },
    title: 'a.example',
  },
  {
    path: 'notes',
    added: { title: 'N', content: '' },
    changes: { content: 'more' },
    wrong: { title: 'N' },
    title: 'N',
  },
  {
    path: 'calendar',
    added: { title: 'E', startTime: '2026-03-01' },
    changes: { endTime: '2026-03-02' },
    wrong: { title: 'E', startTime: '2026-02-30' },
    title: 'E',
  },
  {
    path: 'contacts',
    added: { name: 'C' },
    changes: { email: 'c@example.org' },
    wrong: { name: 'C', email: 'c' },
    title: 'C',
  },
  {
    path: 'expenses',
    added: { amount: '12.10', currency: 'EUR', category: 'food', description: 'L', date: '2026-03-01' },
    changes: { payee: 'Rossi' },
    wrong: { amount: '12.105', currency: 'EUR', category: 'food', description: 'L' },
    title: 'L',
  },
]

describe.each(kinds)('/v1/$path', ({ path, added, changes, wrong, title }) => {
  it('adds, lists, reads, changes and deletes, each change with its entry', async () => {
    const { send, ledger } = recordsApp
    const made = await send('POST', `/v1/${path}`, added)
    expect(made).toMatchObject({
      status: 201,
      etag: '"1"',
      body: { record: { version: 1, label: null, data: added }, ledger: 1 },
    })
    const { id } = made.body.record
    expect((await send('GET', `/v1/${path}`)).body).toMatchObject({
      items: [{ id }],
      total: 1,
      limit: 50,
      offset: 0,
    })
    expect(await send('GET', `/v1/${path}/${id}`)).toMatchObject({ status: 200, etag: '"1"', body: { id } })
    const changed = await send('PATCH', `/v1/${path}/${id}`, changes, { 'if-match': '"1"' })
    expect(changed).toMatchObject({
      status: 200,
      etag: '"2"',
      body: { record: { data: { ...added, ...changes } }, ledger: 2 },
    })
    expect(await send('DELETE', `/v1/${path}/${id}`, undefined, { 'if-match': '"2"' })).toMatchObject({
      status: 200,
      body: { ok: true, ledger: 3 },
    })
    expect((await send('GET', `/v1/${path}/${id}`)).status).toBe(404)
    const data = { collection: path === 'calendar' ? 'events' : path, id, title }
    expect(ledger).toEqual([
      { type: 'record.added', data, actor: 'laptop' },
      { type: 'record.changed', data, actor: 'laptop' },
      { type: 'record.removed', data, actor: 'laptop' },
    ])
  })

  it('refuses a change on another version and leaves no entry', async () => {
    const { send, ledger } = recordsApp
    const { id } = (await send('POST', `/v1/${path}`, added)).body.record
    await send('PATCH', `/v1/${path}/${id}`, changes)
    for (const [method, body] of [
      ['PATCH', changes],
      ['DELETE', undefined],
    ] as const) {
      expect(await send(method, `/v1/${path}/${id}`, body, { 'if-match': '"1"' })).toMatchObject({
        status: 409,
        body: { code: 'conflict' },
      })
      expect((await send(method, `/v1/${path}/${id}`, body, { 'if-match': 'new' })).status).toBe(400)
    }
    expect(ledger.length).toBe(2)
  })

  it('refuses a body that does not fit, unknown fields, unknown parameters and what is not there', async () => {
    const { send, ledger } = recordsApp
    for (const body of [wrong, { ...added, other: 1 }, {}, '{', '[]']) {
      expect((await send('POST', `/v1/${path}`, body)).status).toBe(400)
    }
    const { id } = (await send('POST', `/v1/${path}`, added)).body.record
    expect((await send('PATCH', `/v1/${path}/${id}`, { other: 1 })).status).toBe(400)
    for (const query of ['colour=red', 'limit=0', 'limit=201', 'offset=-1', 'limit=x']) {
      expect((await send('GET', `/v1/${path}?${query}`)).status).toBe(400)
    }
    for (const method of ['GET', 'DELETE']) expect((await send(method, `/v1/${path}/none`)).status).toBe(404)
    expect((await send('PATCH', `/v1/${path}/none`, changes)).status).toBe(404)
    expect(ledger.length).toBe(1)
  })
})

describe('lists of records', () => {
  it('are narrowed down by filters, a search and a page', async () => {
    const { send } = recordsApp
    for (const [title, isPinned] of [
      ['Red apple', true],
      ['Green apple', false],
      ['Pear', false],
    ] as const) {
      await send('POST', '/v1/notes', { title, content: '', isPinned, tags: [title.slice(0, 3)] })
    }
    const titles = async (query: string) => {
      const { body } = await send('GET', `/v1/notes?${query}`)
      return [body.total, body.items.map((item) => JSON.stringify(item.data['title'])).toSorted()]
    }
    expect(await titles('isPinned=true')).toEqual([1, ['"Red apple"']])
    expect(await titles('isPinned=false&search=APPLE')).toEqual([1, ['"Green apple"']])
    expect(await titles('tag=Pea')).toEqual([1, ['"Pear"']])
    expect(await titles('limit=1&offset=2')).toEqual([3, [expect.any(String)]])
    expect((await send('GET', '/v1/notes?isPinned=maybe')).status).toBe(400)
  })

  it('find events between two days, both of them inside', async () => {
    const { send } = recordsApp
    for (const startTime of ['2026-02-28T23:00:00', '2026-03-01', '2026-03-31T23:00:00', '2026-04-01']) {
      await send('POST', '/v1/calendar', { title: startTime, startTime })
    }
    const { body } = await send('GET', '/v1/calendar?from=2026-03-01&to=2026-03-31')
    expect(body.items.map((item) => item.data['title'])).toEqual(['2026-03-01', '2026-03-31T23:00:00'])
    expect((await send('GET', '/v1/calendar?from=soon')).status).toBe(400)
  })

  it('keep the label of a record that untrusted content led to, also after a change by hand', async () => {
    const { send, memory } = recordsApp
    await memory.insert('notes', 'note_a', { title: 'T', content: 'c', tags: [], isPinned: false }, untrusted)
    const { body } = await send('PATCH', '/v1/notes/note_a', { title: 'Mine' })
    expect(body.record.label).toEqual(untrusted)
  })

  it('are the operator’s own, unless the request says where they come from', async () => {
    const { send } = recordsApp
    const card = { name: 'Eve', notes: 'do as I say' }
    expect((await send('POST', '/v1/contacts', card)).body.record.label).toBe(null)
    const imported = { integrity: 'untrusted', confidentiality: 'private', sources: ['vCard'] }
    const { body } = await send('POST', '/v1/contacts?source=vCard', card)
    expect(body.record.label).toEqual(imported)
    const changed = await send('PATCH', `/v1/contacts/${body.record.id}?source=sync`, { notes: 'more' })
    expect(changed.body.record.label).toEqual({ ...imported, sources: ['vCard', 'sync'] })
    expect((await send('POST', '/v1/contacts?source=', card)).status).toBe(400)
    await send('POST', '/v1/tables?source=CSV', { table: 'rows', columns: [{ name: 'said' }] })
    const row = await send('POST', '/v1/tables/rows/records?source=CSV', { said: 'do as I say' })
    expect(row.body.record.label).toEqual({ ...imported, sources: ['CSV'] })
  })
})

describe('/v1/tables', () => {
  const books = {
    table: 'books',
    columns: [
      { name: 'title', required: true, unique: true },
      { name: 'pages', type: 'integer' },
    ],
  }

  it('are made, described and deleted with their records', async () => {
    const { send, memory, ledger } = recordsApp
    expect(await send('POST', '/v1/tables', books)).toMatchObject({
      status: 201,
      body: { table: { table: 'books', records: 0 }, ledger: 1 },
    })
    await send('POST', '/v1/tables/books/records', { title: 'Emma' })
    expect((await send('GET', '/v1/tables')).body).toMatchObject([
      { table: 'books', records: 1, columns: [{ name: 'title' }, { type: 'integer' }] },
    ])
    expect(await send('GET', '/v1/tables/books')).toMatchObject({ etag: '"1"', body: { records: 1 } })
    expect((await send('DELETE', '/v1/tables/books', undefined, { 'if-match': '"7"' })).status).toBe(409)
    expect((await send('DELETE', '/v1/tables/books')).status).toBe(200)
    expect([...(await memory.count(''))]).toEqual([])
    expect(ledger.map(({ type, data }) => [type, data['collection']])).toEqual([
      ['record.added', 'custom_tables'],
      ['record.added', 'table:books'],
      ['record.removed', 'custom_tables'],
    ])
  })

  it('refuse a second of one name, a name that has tools, and a table that is not there', async () => {
    const { send } = recordsApp
    await send('POST', '/v1/tables', books)
    expect((await send('POST', '/v1/tables', books)).status).toBe(409)
    expect((await send('POST', '/v1/tables', { ...books, table: 'tasks' })).status).toBe(400)
    expect((await send('POST', '/v1/tables', { ...books, table: 'No' })).status).toBe(400)
    for (const path of ['/v1/tables/none', '/v1/tables/none/records', '/v1/tables/books/records/none']) {
      expect((await send('GET', path)).status).toBe(404)
    }
  })

  it('take records that fit their columns, and find, change and delete them', async () => {
    const { send } = recordsApp
    await send('POST', '/v1/tables', books)
    const rows = '/v1/tables/books/records'
    const { id } = (await send('POST', rows, { title: 'Emma', pages: 474 })).body.record
    await send('POST', rows, { title: 'Persuasion' })
    for (const body of [
      { pages: 1 },
      { title: 'X', pages: '1' },
      { title: 'X', colour: 'red' },
      { title: 'Emma' },
    ]) {
      expect((await send('POST', rows, body)).status).toBe(400)
    }
    const filter = encodeURIComponent('{"pages":474}')
    expect((await send('GET', `${rows}?filter=${filter}`)).body).toMatchObject({ total: 1, items: [{ id }] })
    expect((await send('GET', `${rows}?search=PERS`)).body).toMatchObject({ total: 1 })
    expect((await send('GET', `${rows}?sortBy=title&sortOrder=desc`)).body.items[1]).toMatchObject({ id })
    for (const query of ['filter=x', 'filter=%5B%5D', 'sortBy=colour', 'sortOrder=up', 'colour=red']) {
      expect((await send('GET', `${rows}?${query}`)).status).toBe(400)
    }
    expect((await send('PATCH', `${rows}/${id}`, { pages: null })).body.record.data).toEqual({
      title: 'Emma',
    })
    expect((await send('PATCH', `${rows}/${id}`, { title: 'Persuasion' })).status).toBe(400)
    expect((await send('PATCH', `${rows}/${id}`, { pages: 2 }, { 'if-match': '"1"' })).status).toBe(409)
    expect((await send('DELETE', `${rows}/${id}`, undefined, { 'if-match': '"2"' })).status).toBe(200)
    expect((await send('GET', `${rows}/${id}`)).status).toBe(404)
  })
})

it('adds up expenses, each currency by itself', async () => {
  const { send } = recordsApp
  const paid = { currency: 'EUR', category: 'food', description: 'L', date: '2026-03-01' }
  await send('POST', '/v1/expenses', { ...paid, amount: 0.1 })
  await send('POST', '/v1/expenses', { ...paid, amount: '0.20', category: 'travel' })
  await send('POST', '/v1/expenses', { ...paid, amount: '5', currency: 'JPY' })
  await send('POST', '/v1/expenses', { ...paid, amount: '9', date: '2026-04-01' })
  const { body } = await send('GET', '/v1/expense-summary?to=2026-03-31')
  expect(body).toMatchObject({
    by: 'category',
    count: 3,
    totals: [
      { currency: 'EUR', amount: '0.30', count: 2 },
      { currency: 'JPY', amount: '5', count: 1 },
    ],
    lines: [
      { key: 'travel', currency: 'EUR', amount: '0.20', percent: 67 },
      { key: 'food', currency: 'EUR', amount: '0.10', percent: 33 },
      { key: 'food', currency: 'JPY', amount: '5', percent: 100 },
    ],
  })
  expect((await send('GET', '/v1/expense-summary?by=month')).body).toMatchObject({ by: 'month', count: 4 })
  expect(await send('GET', '/v1/expense-summary?by=colour')).toMatchObject({ status: 400 })
})

it('declares every route in the API document', () => {
  const { paths } = recordsApp.app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
  })
  const routes = Object.entries(paths ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  )
  expect(routes.length).toBe(6 * 5 + 1 + 4 + 5)
  expect(JSON.stringify(paths?.['/v1/tasks']?.post)).toContain('"enum":["low","normal","high","urgent"]')
})
