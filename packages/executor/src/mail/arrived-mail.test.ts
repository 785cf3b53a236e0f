import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { arrivalLimits, type MailArrivals, type WantedMail } from '@countersign/tools'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDocumentPrograms, type DocumentPrograms } from '../documents/document-programs.ts'
import type { DnsRecords } from '../egress/dns-records.ts'
import { probeBubblewrap } from '../sandbox/bubblewrap.ts'
import { arrivedMail } from './arrived-mail.ts'
import { createSenderChecks } from './check-sender.ts'
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
  folder = mkdtempSync(join(tmpdir(), 'arrived-'))
  servers = await startMailServers()
  const probe = await probeBubblewrap({ workspace: folder, hidden: [] })
  if (probe.kind !== 'available') throw new Error(probe.reason)
  documents = createDocumentPrograms(probe.sandbox)
}, 60_000)
afterAll(async () => {
  await servers?.close()
  rmSync(folder, { recursive: true, force: true })
})

const zone: Readonly<Record<string, string>> = {
  'one._domainkey.kovac.test': `v=DKIM1; k=rsa; p=${publicKey}`,
  '_dmarc.kovac.test': 'v=DMARC1; p=reject',
}
const records: DnsRecords = async (question) => {
  const found = zone[question.name]
  if (question.type !== 'TXT' || found === undefined) return { ...question, kind: 'none' }
  return { ...question, kind: 'records', records: [[found]] }
}

async function look(wanted: Partial<WantedMail> = {}): Promise<MailArrivals> {
  const account = servers.account('home', 'me@home.test')
  const places = { ports: [], allowPrivate: [{ host: 'localhost', port: servers.ports.imap }] }
  const looked = await arrivedMail(
    { account, password: servers.password },
    { folder: 'INBOX', ...wanted },
    { places, lookup: async () => ['127.0.0.1'], documents, senders: createSenderChecks(records) },
    signal,
  )
  if (looked.kind === 'failed') throw new Error(`${looked.reason}\n${servers.log()}`)
  return looked.arrivals
}

/** Until the server has put so many more into the inbox. */
async function delivered(after: MailArrivals['seen'], count: number): Promise<void> {
  for (let left = 300; left > 0; left -= 1) {
    if ((await look()).seen.uid >= after.uid + count) return
    await sleep(100)
  }
  throw new Error(`Nothing came.\n${servers.log()}`)
}

/** With a date, which the server would put in otherwise, beyond the signature. */
const letter = (subject: string, from = 'Ana <ana@kovac.test>') =>
  `From: ${from}\nTo: me@home.test\nSubject: ${subject}\nDate: ${new Date().toUTCString()}\n\nHello.\n`

async function signed(raw: string): Promise<string> {
  const bytes = Buffer.from(raw.replaceAll(/\r?\n/g, '\r\n'))
  return (await signedMail(bytes, { domain: 'kovac.test', privateKey })).toString()
}

describe('a look for new e-mails', () => {
  it('tells of none that were there before, and of each that came since', async () => {
    await servers.deliver('me@home.test', letter('Old'))
    await delivered({ mailbox: '', uidValidity: '1', uid: 0 }, 1)
    const first = await look()
    expect(first).toMatchObject({ mails: [], waiting: 0 })
    expect(await look({ after: first.seen })).toEqual(first)
    await servers.deliver('me@home.test', letter('New'))
    await delivered(first.seen, 1)
    const { seen, mails } = await look({ after: first.seen })
    expect(mails).toMatchObject([{ subject: 'New', from: [{ address: 'ana@kovac.test' }], proven: null }])
    expect(seen).toEqual({ ...first.seen, uid: mails[0]?.uid })
    expect((await look({ after: seen })).mails).toEqual([])
  }, 60_000)

  it('proves the sender who is asked for', async () => {
    const { seen } = await look()
    await servers.deliver('me@home.test', await signed(letter('Signed')))
    await servers.deliver('me@home.test', letter('Forged'))
    await servers.deliver('me@home.test', letter('Another', 'ana@kovac.test <bad@evil.test>'))
    await delivered(seen, 3)
    const { mails } = await look({ after: seen, from: 'ana@kovac.test' })
    const found = Object.fromEntries(mails.map(({ subject, proven }) => [subject, proven]))
    expect(found).toEqual({ Signed: true, Forged: false })
    const about = await look({ after: seen, from: '@kovac.test', subject: 'sign' })
    expect(about.mails.map(({ subject }) => subject)).toEqual(['Signed'])
    expect(about.seen.uid).toBe(seen.uid + 3)
  }, 120_000)

  it('takes the oldest of a burst, and leaves the rest for the next look', async () => {
    const { seen } = await look()
    const count = arrivalLimits.told + 3
    for (let number = 1; number <= count; number += 1)
      await servers.deliver('me@home.test', letter(`Burst ${number}`))
    await delivered(seen, count)
    const first = await look({ after: seen })
    expect(first.mails).toHaveLength(arrivalLimits.told)
    expect(first.waiting).toBe(3)
    const second = await look({ after: first.seen })
    expect(second.waiting).toBe(0)
    const told = [...first.mails, ...second.mails].map(({ uid }) => uid)
    expect(told).toEqual(Array.from({ length: count }, (_, place) => seen.uid + 1 + place))
  }, 120_000)

  it('tells of nothing old where the server numbered the folder anew, or the mailbox is another', async () => {
    const { seen } = await look()
    expect((await look({ after: { ...seen, uid: 0, mailbox: 'other' } })).mails).toEqual([])
    servers.renumber('me@home.test')
    const after = await look({ after: { ...seen, uid: 0 } })
    expect(after.seen.uidValidity).not.toBe(seen.uidValidity)
    expect(after.mails).toEqual([])
    expect(after.seen.uid).toBeGreaterThan(0)
  }, 60_000)
})
