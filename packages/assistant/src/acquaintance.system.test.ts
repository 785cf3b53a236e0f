import { randomUUIDv7 } from 'node:crypto'
import {
  type ApprovalState,
  canonicalText,
  idFrom,
  type JsonValue,
  type Label,
  type Requester,
  type SessionId,
} from '@countersign/contract'
import type { Acquainted } from '@countersign/kernel'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAcquainted } from './acquaintance.ts'
import { openWorld, type SeededRun, type World } from './memory/testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const operator: Requester = { kind: 'operator', id: 'desk' }
const untrusted: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['a web page'] }

/** What the house says of a call in a conversation that went like this. */
async function asked(
  seed: SeededRun,
  args: JsonValue,
  { hosts = ['shop.example'], requester = operator }: { hosts?: string[]; requester?: Requester } = {},
) {
  const { session } = await world.seed(seed)
  return facts(session, args, hosts, requester)
}

function facts(session: SessionId, args: JsonValue, hosts: string[], requester: Requester = operator) {
  const circumstances = {
    operator: world.house.operator,
    session,
    requester,
  } as Parameters<Acquainted>[0]['circumstances']
  return createAcquainted(world.house)({ circumstances, args: canonicalText(args), hosts })
}

const page = 'https://shop.example/list/7'
const read = (result: string, args: JsonValue = { url: 'https://news.example/' }) => [
  { tool: 'http_request', args: canonicalText(args), result },
]

async function bookmark(url: string, label: Label | null): Promise<void> {
  await world.change(({ db, operator: owner, now }) =>
    db
      .insertInto('records')
      .values({
        operator_id: owner,
        collection: 'bookmarks',
        id: randomUUIDv7(),
        data: JSON.stringify({ url, title: 'A page' }),
        label: label === null ? null : JSON.stringify(label),
        version: 1,
        created_at: now,
        updated_at: now,
      })
      .execute(),
  )
}

async function approval(host: string, state: ApprovalState): Promise<void> {
  const { session, run } = await world.seed({ calls: read('') })
  await world.change(async ({ db, operator: owner, now }) => {
    const { id: call } = await db
      .selectFrom('calls')
      .select('id')
      .where('run_id', '=', run)
      .executeTakeFirstOrThrow()
    const resources = [{ type: 'url', scheme: 'https', host, port: 443, method: 'GET' }]
    await db
      .insertInto('approvals')
      .values({
        operator_id: owner,
        id: idFrom('apr', randomUUIDv7()),
        code: randomUUIDv7().slice(-6).toUpperCase(),
        call_id: call,
        run_id: run,
        session_id: session,
        state,
        tier: 2,
        digest: randomUUIDv7(),
        subject: JSON.stringify({ resources }),
        card: '{}',
        agent_says: '',
        created_at: now,
        expires_at: now,
        asked: '[]',
      })
      .execute()
  })
}

describe('a host is named', () => {
  test('not by words alone: the first contact asks', async () => {
    expect(await asked({ words: [`Look at ${page}, please.`] }, { url: page })).toMatchObject({
      named: false,
    })
  })

  test('only where every host of the call is', async () => {
    await bookmark('https://shop.example/', null)
    const of = (...hosts: string[]) => asked({}, { url: page }, { hosts })
    expect(await of('shop.example')).toMatchObject({ named: true })
    expect(await of('shop.example', 'evil.example')).toMatchObject({ named: false })
    expect(await of('my-shop.example')).toMatchObject({ named: false })
  })

  test('by a bookmark that the operator keeps, and not by one that untrusted content had written', async () => {
    await bookmark('https://kept.example:8443/a', null)
    await bookmark('https://planted.example/a', untrusted)
    const of = (host: string) => asked({}, { url: page }, { hosts: [host] })
    expect(await of('kept.example')).toMatchObject({ named: true })
    expect(await of('planted.example')).toMatchObject({ named: false })
  })

  test('by a call that was approved, and not by one that was denied or still waits', async () => {
    await approval('approved.example', 'approved')
    await approval('denied.example', 'denied')
    await approval('pending.example', 'pending')
    const of = (host: string) => asked({}, { url: page }, { hosts: [host] })
    expect(await of('approved.example')).toMatchObject({ named: true })
    expect(await of('denied.example')).toMatchObject({ named: false })
    expect(await of('pending.example')).toMatchObject({ named: false })
  })

  test.each(['webhook', 'schedule', 'peer'])('never for a run that a %s asked for', async (kind) => {
    const requester = { kind, id: 'it' } as Requester
    const seed = { words: [`Fetch ${page}`], calls: read(page) }
    expect(await asked(seed, { url: page }, { requester })).toEqual({ named: false, verbatim: false })
  })
})

describe('what would leave stands there to the byte', () => {
  const verbatim = async (seed: SeededRun, args: JsonValue) => (await asked(seed, args)).verbatim

  test('in words of the operator', async () => {
    expect(await verbatim({ words: [`Fetch ${page}, then stop.`] }, { url: page })).toBe(true)
    expect(await verbatim({ words: [`Fetch ${page}`] }, { url: page, method: 'GET' })).toBe(true)
    expect(await verbatim({ words: [`Fetch ${page}`] }, { url: page.toUpperCase() })).toBe(false)
  })

  test('or in what a tool brought', async () => {
    expect(await verbatim({ calls: read(`See <a href="${page}">it</a>`) }, { url: page })).toBe(true)
    expect(await verbatim({ calls: read('See https://shop.example/list/8') }, { url: page })).toBe(false)
  })

  test('but not in what a tool brought to another session', async () => {
    const other = 'https://shop.example/elsewhere'
    await world.seed({ calls: read(other) })
    expect(await verbatim({}, { url: other })).toBe(false)
  })

  test.each(['/more', '7', '?q=1', '#a', '%20', '-x', '_y', '&b'])(
    'not as the beginning of a longer address that goes on with %s',
    async (rest) => {
      expect(await verbatim({ words: [`Fetch ${page}${rest}`] }, { url: page })).toBe(false)
      expect(await verbatim({ calls: read(`${page}${rest} and more`) }, { url: page })).toBe(false)
    },
  )

  test.each(['', ' ', '\n', '"', '<', ')', ',', '. ', '?', '\\n', "'>"])(
    'though %j may follow it',
    async (rest) => {
      expect(await verbatim({ calls: read(`${page}${rest}`) }, { url: page })).toBe(true)
    },
  )

  test.each(['.evil.example', ':8443', '@evil.example', ';v=1', '!x', '*', "'s", '$', '(1)', ',2', '.html'])(
    'and not before %s, which makes it another address',
    async (rest) => {
      const host = 'https://shop.example'
      expect(await verbatim({ calls: read(`${host}${rest}`) }, { url: host })).toBe(false)
    },
  )

  test.each(['x', '.', '/', 'https://evil.example/', 'view-source:', '%', '-', '='])(
    'and not behind %s, which makes it the end of something longer',
    async (before) => {
      const path = 'shop.example/list/7'
      expect(await verbatim({ calls: read(`${before}${path}`) }, { url: path })).toBe(false)
    },
  )

  test('with a query only where the operator typed it', async () => {
    const search = `${page}?page=2`
    expect(await verbatim({ words: [`Fetch ${search}`] }, { url: search })).toBe(true)
    expect(await verbatim({ calls: read(search) }, { url: search })).toBe(false)
  })

  test('not in the result of a call whose own arguments held it', async () => {
    expect(await verbatim({ calls: read(`You sent ${page}`, { text: page }) }, { url: page })).toBe(false)
    expect(await verbatim({ calls: read(`You sent ${page}`, { text: `x${page}y` }) }, { url: page })).toBe(
      false,
    )
  })

  test('not in what comes back of a text that a model wrote before, by whatever call', async () => {
    const [wrote] = read('Written.', { path: 'a.txt', content: `See ${page}` })
    const [back] = read(`See ${page}`, { path: 'a.txt' })
    const [list] = read(`See ${page} and more`)
    if (!wrote || !back || !list) throw new Error('no call')
    expect(await verbatim({ calls: [wrote, back] }, { url: page })).toBe(false)
    expect(await verbatim({ calls: [list, wrote, back] }, { url: page })).toBe(true)
  })

  test('not in the result of a call that did not end well', async () => {
    const { session, run } = await world.seed({ calls: read(page) })
    await world.change(({ db }) =>
      db.updateTable('calls').set({ outcome: 'failed' }).where('run_id', '=', run).execute(),
    )
    expect((await facts(session, { url: page }, ['shop.example'])).verbatim).toBe(false)
  })

  test('not when a header or a body holds other text', async () => {
    const seed = { words: [`Fetch ${page}`] }
    expect(await verbatim(seed, { url: page, headers: { accept: 'a secret' } })).toBe(false)
    expect(await verbatim(seed, { url: page, headers: { 'x-secret': page } })).toBe(false)
    expect(await verbatim(seed, { url: page, body: 'a secret' })).toBe(false)
    expect(await verbatim(seed, { url: page, method: 'POST' })).toBe(false)
    expect(await verbatim(seed, { url: page, body: { pin: 4_711 } })).toBe(false)
    expect(await verbatim(seed, { url: page, headers: {}, body: '', maxChars: 20_000 })).toBe(true)
  })

  test('and a call without any text is not', async () => {
    expect(await verbatim({ words: [page] }, {})).toBe(false)
  })
})
