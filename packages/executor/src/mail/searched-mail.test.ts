import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type KnownMailbox,
  type LookedFolder,
  type SearchedMail,
  type SearchedMailbox,
  searchedLimits,
} from '@countersign/tools'
import { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDocumentPrograms, type DocumentPrograms } from '../documents/document-programs.ts'
import type { DnsRecords } from '../egress/dns-records.ts'
import { probeBubblewrap } from '../sandbox/bubblewrap.ts'
import { createSenderChecks } from './check-sender.ts'
import { searchedAmong } from './folders.ts'
import { searchedMail } from './searched-mail.ts'
import { type MailServers, startMailServers } from './testing/mail-servers.ts'
import { signedMail } from './testing/signed-mail.ts'

const { signal } = new AbortController()
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
const publicKey = keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

let servers: MailServers
let folder: string
let documents: DocumentPrograms
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'searched-'))
  servers = await startMailServers()
  const probe = await probeBubblewrap({ workspace: folder, hidden: [] })
  if (probe.kind !== 'available') throw new Error(probe.reason)
  documents = createDocumentPrograms(probe.sandbox)
}, 60_000)
afterAll(async () => {
  await servers?.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() =>
  imap(async (client) => {
    await client.mailboxOpen('INBOX')
    await client.messageDelete('1:*').catch(() => undefined)
  }),
)

const records: DnsRecords = async (question) =>
  question.type === 'TXT' && question.name === 'one._domainkey.kovac.test'
    ? { ...question, kind: 'records', records: [[`v=DKIM1; k=rsa; p=${publicKey}`]] }
    : { ...question, kind: 'none' }

async function tried(known: KnownMailbox | undefined, programs: DocumentPrograms) {
  const account = servers.account('home', 'me@home.test')
  const places = { ports: [], allowPrivate: [{ host: 'localhost', port: servers.ports.imap }] }
  const senders = createSenderChecks(records)
  const parts = { places, lookup: async () => ['127.0.0.1'], documents: programs, senders }
  return searchedMail({ account, password: servers.password }, known, parts, signal)
}

async function look(known?: KnownMailbox): Promise<SearchedMailbox> {
  const looked = await tried(known, documents)
  if (looked.kind === 'failed') throw new Error(`${looked.reason}\n${servers.log()}`)
  return looked.searched
}

const knownFrom = ({ mailbox, folders }: SearchedMailbox): KnownMailbox => ({
  mailbox,
  folders: folders.flatMap((each) => {
    if (each.kind === 'same') return []
    const { folder: name, uidValidity, low, high, count } = each
    return [{ folder: name, uidValidity, low, high, count }]
  }),
})
const inbox = ({ folders }: SearchedMailbox) => folders.find((each) => each.folder === 'INBOX')
function lookedInbox(searched: SearchedMailbox): LookedFolder {
  const found = inbox(searched)
  if (found?.kind !== 'looked') throw new Error('INBOX was not looked at')
  return found
}
const subjects = (mails: readonly SearchedMail[]) => mails.map(({ subject }) => subject)

async function imap<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
  const client = new ImapFlow({
    host: '127.0.0.1',
    port: servers.ports.imap,
    secure: false,
    doSTARTTLS: false,
    auth: { user: 'me@home.test', pass: servers.password },
    logger: false,
  })
  await client.connect()
  try {
    return await work(client)
  } finally {
    client.close()
  }
}

const letter = (subject: string, body = 'Hello.') =>
  `From: Ana <ana@kovac.test>\r\nTo: me@home.test\r\nSubject: ${subject}\r\nDate: ${new Date().toUTCString()}\r\n\r\n${body}\r\n`
/** Straight into a folder, as a program of the operator's would. */
const file = (raw: string | Buffer, to = 'INBOX', at = new Date()) =>
  imap((client) => client.append(to, Buffer.from(raw), [], at))

describe('a look for the search', () => {
  it('reads what is there, the newest first, and then nothing until something changes', async () => {
    await file(letter('First', 'The dinghy.'))
    await file(letter('Second'))
    const first = await look()
    expect(subjects(lookedInbox(first).mails)).toEqual(['Second', 'First'])
    expect(lookedInbox(first).mails[1]).toMatchObject({ text: 'The dinghy.', proven: false })
    expect(first.waiting).toBe(0)
    const again = await look(knownFrom(first))
    expect(inbox(again)).toEqual({ kind: 'same', folder: 'INBOX' })
    await file(letter('Third'))
    const later = await look(knownFrom(first))
    expect(subjects(lookedInbox(later).mails)).toEqual(['Third'])
  }, 60_000)

  it('looks into every folder but those for what is thrown away and what is not sent', async () => {
    const { folders } = await look()
    expect(folders.map((each) => each.folder).toSorted()).toEqual(['INBOX', 'Sent'])
  }, 60_000)

  it('tells which of those that were taken in are still there', async () => {
    for (const subject of ['One', 'Two', 'Three']) await file(letter(subject))
    const first = await look()
    const [newest = 0, middle = 0, oldest = 0] = lookedInbox(first).mails.map(({ uid }) => uid)
    expect(lookedInbox(first).there).toBe(`${oldest}:${newest}`)
    await imap(async (client) => {
      await client.mailboxOpen('INBOX')
      await client.messageMove(String(middle), 'Trash', { uid: true })
    })
    const later = lookedInbox(await look(knownFrom(first)))
    expect(later).toMatchObject({ there: `${oldest},${newest}`, mails: [] })
  }, 60_000)

  it('takes a few at a time, what came meanwhile first, and misses none', async () => {
    const count = searchedLimits.mails + 3
    for (let number = 1; number <= count; number += 1) await file(letter(`Letter ${number}`))
    const first = await look()
    expect(lookedInbox(first).mails).toHaveLength(searchedLimits.mails)
    expect(first.waiting).toBe(3)
    await file(letter('Meanwhile'))
    const second = await look(knownFrom(first))
    expect(subjects(lookedInbox(second).mails)).toEqual(['Meanwhile', 'Letter 3', 'Letter 2', 'Letter 1'])
    expect(second.waiting).toBe(0)
  }, 120_000)

  it('begins again where the folder was numbered anew or the mailbox is another', async () => {
    await file(letter('Kept'))
    const known = knownFrom(await look())
    expect(subjects(lookedInbox(await look({ ...known, mailbox: 'other' })).mails)).toEqual(['Kept'])
    servers.renumber('me@home.test')
    const renewed = lookedInbox(await look(known))
    expect(renewed.uidValidity).not.toBe(known.folders.find((each) => each.folder === 'INBOX')?.uidValidity)
    expect(subjects(renewed.mails)).toEqual(['Kept'])
  }, 60_000)

  it('leaves out what is too old', async () => {
    await file(letter('Old'), 'INBOX', new Date(Date.now() - (searchedLimits.days + 2) * 86_400_000))
    await file(letter('New'))
    const first = await look()
    expect(subjects(lookedInbox(first).mails)).toEqual(['New'])
    expect(inbox(await look(knownFrom(first)))?.kind).toBe('same')
  }, 60_000)

  it('says of whom it is proven that they wrote it, and tells nothing that is hidden', async () => {
    const html = '<p>Seen.</p><p style="display:none">Hidden.</p>'
    await file(await signedMail(Buffer.from(letter('Signed')), { domain: 'kovac.test', privateKey }))
    await file(
      letter('Page', html).replace('Subject:', 'MIME-Version: 1.0\r\nContent-Type: text/html\r\nSubject:'),
    )
    const { mails } = lookedInbox(await look())
    expect(mails.map(({ subject, proven }) => [subject, proven])).toEqual([
      ['Page', false],
      ['Signed', true],
    ])
    expect(mails[0]?.text).toBe('Seen.')
  }, 60_000)

  it('passes over one that cannot be opened, but none where nothing can be', async () => {
    await file(letter('Good'))
    await file(letter('Bad'))
    const failing = (fails: (bytes: Uint8Array | null) => boolean): DocumentPrograms => ({
      run: async (question, bytes, until) =>
        fails(bytes) ? { kind: 'failed', reason: 'It is damaged.' } : documents.run(question, bytes, until),
    })
    const isBad = (bytes: Uint8Array | null) => Buffer.from(bytes ?? []).includes('Subject: Bad')
    const looked = await tried(undefined, failing(isBad))
    expect(looked.kind === 'searched' && subjects(lookedInbox(looked.searched).mails)).toEqual(['Good'])
    expect(looked).toMatchObject({ searched: { waiting: 0 } })
    expect(
      await tried(
        undefined,
        failing(() => true),
      ),
    ).toEqual({ kind: 'failed', reason: 'It is damaged.' })
  }, 60_000)
})

describe('the folders that are searched', () => {
  const at = (path: string, specialUse?: string, ...flags: string[]) => ({
    path,
    flags: new Set(flags),
    ...(specialUse === undefined ? {} : { specialUse }),
  })
  const listed = [
    at('Archive'),
    at('[Gmail]', undefined, '\\Noselect'),
    at('All', '\\All'),
    at('Spam', '\\Junk'),
    at('Bin', '\\Trash'),
    at('Drafts', '\\Drafts'),
    at('Starred', '\\Flagged'),
    at('a*b'),
    at('INBOX', '\\Inbox'),
  ]
  it('are those that people keep e-mails in, and at Gmail the one that has all', () => {
    expect(searchedAmong(listed, false).map(({ path }) => path)).toEqual(['INBOX', 'Archive'])
    expect(searchedAmong(listed, true).map(({ path }) => path)).toEqual(['All'])
  })
})
