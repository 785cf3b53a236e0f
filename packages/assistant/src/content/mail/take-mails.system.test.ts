import { randomUUIDv7 } from 'node:crypto'
import {
  idFrom,
  type MailAccount,
  mailAccountsCollection,
  type RunId,
  unprovenMail,
} from '@countersign/contract'
import type { LookedFolder, SearchedFolder, SearchedMail, SearchedMailbox } from '@countersign/tools'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestHistory, type TestHistory } from '../../history/testing/test-history.ts'
import { recallMigration } from '../../memory/recall/migration.ts'
import type { CallEnd } from '../../server-calls.ts'
import { contentMigration } from '../migration.ts'
import {
  knownMailbox,
  mailSearches,
  noteLook,
  searchedMailboxes,
  searchMailbox,
  stopSearching,
} from './mailboxes.ts'
import { searchedMailMigration } from './migration.ts'
import { takeMails } from './take-mails.ts'

let test: TestHistory
beforeAll(async () => {
  test = await openTestHistory([recallMigration, contentMigration, searchedMailMigration])
})
afterAll(() => test.close())

const server = { host: 'localhost', port: 143, security: 'none' } as const
const account: MailAccount = {
  name: 'work',
  address: 'me@home.test',
  displayName: '',
  user: 'me',
  imap: server,
  smtp: server,
  secret: 'mail.work',
}
beforeEach(() =>
  test.change(async (tx) => {
    await tx.records.insert(mailAccountsCollection, 'work', { ...account }, null)
    await searchMailbox(tx, 'work')
  }),
)
afterEach(() =>
  test.owner.within(test.context.operator, async ({ db }) => {
    for (const table of ['records', 'content_index', 'searched_mailboxes', 'searched_folders'])
      await sql`delete from ${sql.table(table)}`.execute(db)
  }),
)

const mail = (uid: number, change: Partial<SearchedMail> = {}): SearchedMail => ({
  uid,
  from: [{ name: 'Ana', address: 'ana@kovac.test' }],
  subject: `Number ${uid}`,
  received: '2026-03-05T09:59:00.000Z',
  text: `The dinghy ${uid}.`,
  proven: true,
  ...change,
})
const looked = (mails: SearchedMail[], change: Partial<LookedFolder> = {}): LookedFolder => ({
  kind: 'looked',
  folder: 'INBOX',
  uidValidity: '7',
  low: 0,
  high: 9,
  count: 3,
  there: '1:9',
  mails,
  ...change,
})
const searched = (folders: SearchedFolder[], mailbox = 'me at localhost:143'): CallEnd => ({
  kind: 'done',
  text: JSON.stringify({ mailbox, folders, waiting: 0 } satisfies SearchedMailbox),
})

async function row() {
  const [found] = await test.change((tx) => searchedMailboxes(tx))
  return found
}
async function begin(): Promise<RunId> {
  const run = idFrom('run', randomUUIDv7())
  const found = await row()
  if (!found) throw new Error('not searched')
  await test.change((tx) => noteLook(tx, found, run))
  return run
}
const take = (run: RunId, end: CallEnd) => test.change((tx) => takeMails(tx, 'work', { run, end }))
const look = async (end: CallEnd) => take(await begin(), end)
const kept = async () =>
  test.change(async ({ db }) => {
    const { rows } = await sql<{
      source: string
    }>`select distinct source from content_index order by 1`.execute(db)
    return rows.map(({ source }) => source)
  })
const folders = async () => {
  const found = await row()
  return found && (await test.change((tx) => knownMailbox(tx, found)))?.folders
}

describe('a look that is taken in', () => {
  it('gives each e-mail its pieces with the label of reading it, and remembers how far it came', async () => {
    await look(searched([looked([mail(1), mail(2, { proven: false, text: '' })])]))
    expect(await kept()).toEqual(['work/INBOX/7/1', 'work/INBOX/7/2'])
    const { rows } = await test.change(({ db }) =>
      sql`select title, text, tags, label -> 'sources' as sources from content_index order by source`.execute(
        db,
      ),
    )
    const ana = 'e-mail in work from ana@kovac.test'
    expect(rows).toEqual([
      {
        title: 'Number 1, from Ana <ana@kovac.test>',
        text: 'The dinghy 1.',
        tags: ['work'],
        sources: ['e-mail', 'localhost', ana],
      },
      {
        title: 'Number 2, from Ana <ana@kovac.test>',
        text: 'Number 2',
        tags: ['work'],
        sources: [unprovenMail, 'e-mail', 'localhost', ana],
      },
    ])
    expect(await folders()).toEqual([{ folder: 'INBOX', uidValidity: '7', low: 0, high: 9, count: 3 }])
  })

  it('is taken in once', async () => {
    const run = await begin()
    await take(run, searched([looked([mail(1)])]))
    await take(run, searched([looked([mail(2)])]))
    expect(await kept()).toEqual(['work/INBOX/7/1'])
  })

  it('drops what is gone from a folder, and leaves a folder alone that is the same', async () => {
    await look(searched([looked([mail(1), mail(2)]), looked([mail(1)], { folder: 'INBOX/a' })]))
    await look(searched([looked([], { there: '2:9' }), { kind: 'same', folder: 'INBOX/a' }]))
    expect(await kept()).toEqual(['work/INBOX%2Fa/7/1', 'work/INBOX/7/2'])
  })

  it('drops a folder that is gone, and what a folder held before it was numbered anew', async () => {
    await look(searched([looked([mail(1)]), looked([mail(1)], { folder: 'Old' })]))
    await look(searched([looked([mail(1)], { uidValidity: '8' })]))
    expect(await kept()).toEqual(['work/INBOX/8/1'])
    expect(await folders()).toHaveLength(1)
  })

  it('that failed changes nothing and says why', async () => {
    await look(searched([looked([mail(1)])]))
    await look({ kind: 'failed', reason: 'The server is away.' })
    expect(await kept()).toHaveLength(1)
    const searches = await test.change((tx) => mailSearches(tx))
    expect(searches.get('work')).toMatchObject({ emails: 1, problem: 'The server is away.' })
  })

  it('of another mailbox than the account leads to is dropped', async () => {
    await look(searched([looked([mail(1)])], 'other at localhost:143'))
    expect(await kept()).toEqual([])
  })
})

describe('an account that is searched no more', () => {
  it('has nothing in the index, and a look under way brings nothing back', async () => {
    await look(searched([looked([mail(1)])]))
    const run = await begin()
    expect(await test.change((tx) => stopSearching(tx, 'work'))).toBe(1)
    expect(await kept()).toEqual([])
    expect(await row()).toMatchObject({ searchable: false, run })
    await take(run, searched([looked([mail(2)])]))
    expect(await kept()).toEqual([])
    expect(await row()).toBeUndefined()
    expect(await test.change((tx) => stopSearching(tx, 'work'))).toBeUndefined()
  })

  it('and is searched again begins anew, whatever was under way', async () => {
    await look(searched([looked([mail(1)])]))
    const stale = await row()
    const run = await begin()
    await test.change((tx) => stopSearching(tx, 'work'))
    await test.change((tx) => searchMailbox(tx, 'work'))
    await take(run, searched([looked([mail(2)])]))
    expect(await kept()).toEqual([])
    // Begun before, and noted after.
    if (stale) await test.change((tx) => noteLook(tx, stale, run))
    expect(await row()).toMatchObject({ run: null, mailbox: null })
  })

  it('is one that was removed, and one with another server is forgotten', async () => {
    const change = (data: MailAccount) =>
      test.change(async ({ records }) => {
        const found = await records.get(mailAccountsCollection, 'work')
        await records.replace(mailAccountsCollection, 'work', found?.version ?? 0, { ...data }, null)
      })
    await look(searched([looked([mail(1)])]))
    await change({ ...account, displayName: 'Me' })
    expect(await kept()).toHaveLength(1)
    await change({ ...account, user: 'other' })
    expect(await kept()).toEqual([])
    expect(await row()).toMatchObject({ searchable: true, mailbox: null, lookedAt: null })
    await look(searched([looked([mail(1)])], 'other at localhost:143'))
    expect(await kept()).toHaveLength(1)
    await test.change(async ({ records }) => {
      const found = await records.get(mailAccountsCollection, 'work')
      await records.remove(mailAccountsCollection, 'work', found?.version ?? 0)
    })
    expect(await kept()).toEqual([])
    expect(await row()).toBeUndefined()
  })
})
