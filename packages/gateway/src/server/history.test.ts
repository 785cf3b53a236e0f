import { randomUUIDv7 } from 'node:crypto'
import { ConversationExport, idFrom, operatorLabel, SessionMade, Thread } from '@countersign/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { type RouteApp, routeApp, speaker } from '../testing/route-app.ts'
import { addHistoryRoutes, type HistoryParts } from './history.ts'

const session = idFrom('ses', randomUUIDv7())
const at = '2026-03-01T12:00:00.000Z'
const file: ConversationExport = {
  format: 'countersign.conversation',
  version: 1,
  exportedAt: at,
  session: { title: 'Boats', createdAt: at, label: operatorLabel },
  messages: [{ at, role: 'user', text: 'Hello', label: operatorLabel, activity: [] }],
}

let asked: unknown[][] = []
let app: RouteApp['app']
beforeEach(() => {
  asked = []
  const heard =
    <T>(name: string, answer: T) =>
    (...given: unknown[]): Promise<T> => {
      expect(given[0]).toBe(speaker.operator)
      asked.push([name, ...given.slice(1)])
      return Promise.resolve(answer)
    }
  const made = { session, title: 'Fork of Boats', messages: 3, ledger: 7 }
  const history: HistoryParts['history'] = {
    thread: heard('thread', { session, title: 'Boats', origin: null, items: [], before: null }),
    search: heard('search', []),
    fork: heard('fork', made),
    archive: heard('archive', { episode: 'epi_1', messages: 4, ledger: 8 }),
    clear: heard('clear', { messages: 4, ledger: 12 }),
    rename: heard('rename', 9),
    mark: heard('mark', 10),
    remove: heard('remove', 11),
    exported: heard('exported', file),
    imported: heard('imported', made),
  }
  ;({ app } = routeApp((routes) => addHistoryRoutes(routes, { history })))
})

async function send(method: string, path: string, body?: unknown) {
  const response = await app.request(path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}
const own = `/v1/sessions/${session}`

describe('the routes of conversations', () => {
  it('show a thread by the page', async () => {
    const seen = await send('GET', `${own}/thread?before=12&limit=5`)
    expect(Thread.parse(seen.body).title).toBe('Boats')
    await send('GET', `${own}/thread`)
    expect(asked).toEqual([
      ['thread', session, { before: 12, limit: 5 }],
      ['thread', session, { limit: 50 }],
    ])
  })

  it('fork, archive and name a session for the device that asks, each with its entry', async () => {
    expect(SessionMade.parse((await send('POST', `${own}/fork`, { upTo: 3 })).body).ledger).toBe(7)
    expect((await send('POST', `${own}/archive`, {})).body).toMatchObject({ ledger: 8 })
    expect((await send('PUT', `${own}/title`, { title: ' Ships ' })).body).toEqual({ ok: true, ledger: 9 })
    expect(asked).toEqual([
      ['fork', session, { upTo: 3 }, speaker.actor],
      ['archive', session, speaker.actor],
      ['rename', session, 'Ships', speaker.actor],
    ])
  })

  it('pin, hide and delete a session, each with its entry', async () => {
    expect((await send('PATCH', own, { pinned: true })).body).toEqual({ ok: true, ledger: 10 })
    expect((await send('PATCH', own, { metadata: { client: null } })).body).toEqual({ ok: true, ledger: 10 })
    expect((await send('POST', `${own}/clear`, {})).body).toEqual({ messages: 4, ledger: 12 })
    expect((await send('DELETE', own)).body).toEqual({ ok: true, ledger: 11 })
    expect(asked).toEqual([
      ['mark', session, { pinned: true }, speaker.actor],
      ['mark', session, { metadata: { client: null } }, speaker.actor],
      ['clear', session, speaker.actor],
      ['remove', session, speaker.actor],
    ])
  })

  it('carry a conversation out and in, untrusted unless somebody vouches for it', async () => {
    const exported = await send('GET', `${own}/export`)
    expect(ConversationExport.parse(exported.body)).toEqual(file)
    await send('POST', '/v1/session-imports', { conversation: exported.body })
    await send('POST', '/v1/session-imports', { conversation: exported.body, mine: true })
    expect(asked.slice(1).map(([, given]) => given)).toMatchObject([{ mine: false }, { mine: true }])
  })

  it('search what ended', async () => {
    await send('GET', '/v1/episodes?query=blue%20boat&timeframe=last_week&limit=2')
    expect(asked).toEqual([['search', { text: 'blue boat', timeframe: 'last_week', limit: 2 }]])
  })

  it.each([
    ['GET', '/v1/sessions/nonsense/thread', undefined],
    ['GET', `${own}/thread?limit=0`, undefined],
    ['GET', `${own}/thread?limit=201`, undefined],
    ['POST', `${own}/fork`, { upTo: 0 }],
    ['POST', `${own}/fork`, { from: 1 }],
    ['PATCH', own, { pinned: 'yes' }],
    ['PATCH', own, { removed: true }],
    ['PATCH', own, { metadata: { 'a b': 'c' } }],
    ['PATCH', own, { metadata: { a: 'c'.repeat(501) } }],
    ['PUT', `${own}/title`, { title: ' ' }],
    ['PUT', `${own}/title`, { title: 'two\nlines' }],
    ['GET', '/v1/episodes', undefined],
    ['GET', '/v1/episodes?query=a&limit=6', undefined],
    ['GET', '/v1/episodes?query=a&timeframe=ever', undefined],
    ['POST', '/v1/session-imports', file],
    ['POST', '/v1/session-imports', { conversation: { ...file, calls: [] } }],
    ['POST', '/v1/session-imports', { conversation: { ...file, version: 2 } }],
  ])('refuse %s %s with %j', async (method, path, body) => {
    expect((await send(method, path, body)).status).toBe(400)
    expect(asked).toEqual([])
  })
})
