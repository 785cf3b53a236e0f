import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DnsAnswer, type DnsQuestion, forThoseShown } from '@countersign/tools'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDocumentPrograms, type DocumentPrograms } from '../documents/document-programs.ts'
import { isPublicName } from '../egress/dns-records.ts'
import { probeBubblewrap } from '../sandbox/bubblewrap.ts'
import { createSenderChecks } from './check-sender.ts'
import { signedMail } from './testing/signed-mail.ts'

const { signal } = new AbortController()
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
const publicKey = keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

let folder: string
let documents: DocumentPrograms
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sender-'))
  const probe = await probeBubblewrap({ workspace: folder, hidden: [] })
  if (probe.kind !== 'available') throw new Error(probe.reason)
  documents = createDocumentPrograms(probe.sandbox)
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Zone = Readonly<Record<string, readonly string[] | 'failed'>>

const zone: Zone = {
  'TXT one._domainkey.kovac.test': [`v=DKIM1; k=rsa; p=${publicKey}`],
  'TXT one._domainkey.evil.test': [`v=DKIM1; k=rsa; p=${publicKey}`],
  'TXT _dmarc.kovac.test': ['v=DMARC1; p=reject'],
  'TXT kovac.test': ['v=spf1 ip4:8.8.4.7 -all'],
}

function resolverOf(records: Zone) {
  const asked: string[] = []
  const answer = async (question: DnsQuestion): Promise<DnsAnswer> => {
    const key = `${question.type} ${question.name}`
    asked.push(key)
    const found = records[key]
    if (found === 'failed') return { ...question, kind: 'failed' }
    if (found === undefined) return { ...question, kind: 'none' }
    return { ...question, kind: 'records', records: found.map((text) => [text]) }
  }
  return { answer, asked }
}

async function check(raw: string, records: Zone = zone) {
  const { answer, asked } = resolverOf(records)
  const checks = createSenderChecks(answer)
  const found = await checks.check('a', Buffer.from(raw.replaceAll(/\r?\n/g, '\r\n')), documents, signal)
  return { found, asked, checks }
}

async function signed(raw: string, domain: string): Promise<string> {
  const text = raw.replaceAll(/\r?\n/g, '\r\n')
  return (await signedMail(Buffer.from(text), { domain, privateKey })).toString()
}

const letter =
  'From: Ana <ana@kovac.test>\nTo: me@home.test\nSubject: The invoice\nMessage-ID: <1@kovac.test>\n\nPlease pay.\n'
const byServer = (ip: string) =>
  `Return-Path: <ana@kovac.test>\nReceived: from mx.kovac.test (mx.kovac.test [${ip}])\n\tby mail.home.test (Postfix) with ESMTPS id 1;\n\tWed, 18 Nov 2026 09:00:00 +0000 (UTC)\n`

describe('the sender of an e-mail', () => {
  it('is proven by the signature of its own domain, and is looked at once', async () => {
    const { found, asked, checks } = await check(await signed(letter, 'kovac.test'))
    expect(found).toEqual({
      domain: 'kovac.test',
      dkim: 'passed',
      spf: 'not checked',
      dmarc: 'passed',
      proven: true,
    })
    const before = asked.length
    expect(checks.known('a')).toEqual(found)
    await checks.check('a', Buffer.from(letter), documents, signal)
    expect(asked).toHaveLength(before)
  }, 60_000)

  it('is not proven by the signature of another domain, nor by one under other words', async () => {
    const stranger = await check(await signed(letter, 'evil.test'))
    expect(stranger.found).toMatchObject({ dkim: 'passed', proven: false })
    const changed = (await signed(letter, 'kovac.test')).replace('Please pay.', 'Please pay me.')
    expect((await check(changed)).found).toMatchObject({ dkim: 'failed', proven: false })
  }, 60_000)

  it('is judged by the address that the own server wrote down, and by no other', async () => {
    const good = await check(byServer('8.8.4.7') + letter)
    expect(good.found).toMatchObject({ dkim: 'none', spf: 'passed', dmarc: 'passed', proven: true })
    const forged = await check(byServer('9.9.9.9') + byServer('8.8.4.7') + letter)
    expect(forged.found).toMatchObject({ spf: 'failed', dmarc: 'failed', proven: false })
    // What a sender writes about itself says nothing.
    const claimed = `Received: from x (y [10.0.0.1]) by mail.home.test\n${byServer('8.8.4.7')}${letter}`
    expect((await check(claimed)).found).toMatchObject({ spf: 'not checked', proven: false })
    const results = `Authentication-Results: mail.home.test; dkim=pass; spf=pass; dmarc=pass\n${letter}`
    expect((await check(results)).found).toMatchObject({ spf: 'not checked', proven: false })
  }, 60_000)

  it('is not proven where two are named', async () => {
    const both = `From: Boss <boss@home.test>\n${letter}`
    const { found } = await check(await signed(both, 'kovac.test'))
    expect(found).toMatchObject({ domain: null, dmarc: 'failed', proven: false })
  }, 60_000)

  it('is not proven where somebody added to what was signed', async () => {
    const raw = await signed(letter, 'kovac.test')
    const added = [
      'Subject: Pay the thief',
      'Reply-To: thief@evil.test',
      'Content-Type: text/html',
      'Cc: x@y.test',
    ]
    for (const line of added)
      expect((await check(`${line}\n${raw}`)).found, line).toMatchObject({ dkim: 'failed', proven: false })
    // What servers write on top is shown to nobody.
    expect((await check(`X-Spam: no\nDelivered-To: me@home.test\n${raw}`)).found.proven).toBe(true)
  }, 60_000)

  it('is not checked where nobody answers, and is looked at again later', async () => {
    const raw = await signed(letter, 'kovac.test')
    const { found, checks } = await check(raw, { ...zone, 'TXT one._domainkey.kovac.test': 'failed' })
    expect(found).toMatchObject({ dkim: 'not checked', dmarc: 'not checked', proven: false })
    expect(checks.known('a')).toBeUndefined()
  }, 60_000)

  it('makes us ask for a bounded number of names', async () => {
    const many = Array.from(
      { length: 400 },
      (_, index) =>
        `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=d${index}.test; s=s; h=from; bh=AAAA; b=AAAA\n`,
    ).join('')
    const { found, asked } = await check(many + letter)
    expect(found.proven).toBe(false)
    expect(asked.length).toBeLessThanOrEqual(40)
  }, 60_000)
})

describe('what was found', () => {
  const found = {
    domain: 'kovac.test',
    dkim: 'passed',
    spf: 'passed',
    dmarc: 'passed',
    proven: true,
  } as const
  it.each([
    [[{ name: 'Ana', address: 'Ana@KOVAC.test' }], true],
    [[], false],
    [[{ name: 'Bank', address: '' }], false],
    [
      [
        { name: 'Ana', address: 'ana@kovac.test' },
        { name: 'Boss', address: 'boss@home.test' },
      ],
      false,
    ],
    [[{ name: '', address: 'ana@home.test@kovac.test' }], false],
    [[{ name: '', address: 'ana@k\u043evac.test' }], false],
  ])('holds for %j: %s', (from, proven) => {
    expect(forThoseShown(found, from).proven).toBe(proven)
  })
})

describe('a name', () => {
  it('is asked for only where it is a public one', () => {
    expect(['kovac.test', 's1._domainkey.example.org', 'xn--bcher-kva.example'].every(isPublicName)).toBe(
      true,
    )
    const refused = [
      'localhost',
      'router.local',
      'db.internal',
      '10.0.0.1',
      'a..b',
      'a b.org',
      `${'a'.repeat(64)}.org`,
      'x.home.arpa',
    ]
    expect(refused.filter(isPublicName)).toEqual([])
  })
})
