import { describe, expect, it } from 'vitest'
import { type DnsRecords, isPublicName } from './dns.ts'
import { readLetter } from './letter.ts'
import { proveSender } from './sender-proof.ts'
import { createSigningKey, recordsOf, signed } from './testing/signed-mail.ts'

const key = createSigningKey()
const zone = {
  'one._domainkey.kovac.test': key.record,
  'one._domainkey.evil.test': key.record,
  'one._domainkey.mail.kovac.test': key.record,
  'one._domainkey.lenient.test': key.record,
  '_dmarc.kovac.test': 'v=DMARC1; p=reject',
  '_dmarc.evil.test': 'v=DMARC1; p=reject',
}
const received = new Date('2026-11-18T10:00:10Z')
const letter = `From: Ana <ana@kovac.test>
To: me@home.test
Subject: The invoice
Date: Wed, 18 Nov 2026 10:00:00 +0000
Message-ID: <1@kovac.test>
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

Please pay.
`
const mine = { domain: 'kovac.test', key }

async function check(raw: string, records: DnsRecords = recordsOf(zone), at = received) {
  const bytes = Buffer.from(raw.replaceAll(/\r?\n/g, '\r\n'))
  const read = await readLetter(bytes)
  if (!read) return undefined
  const proof = await proveSender({ raw: bytes, letter: read, own: 'me@home.test', received: at, records })
  return { ...proof, from: read.from }
}

/** With this line changed before it is signed: what its writer themselves wrote. */
const written = (from: string | RegExp, to: string) => signed(letter.replace(from, to), mine)

describe('the writer of an e-mail', () => {
  it('is proven by the signature of their own domain under all that is shown', async () => {
    expect(await check(await signed(letter, mine))).toMatchObject({
      proven: true,
      from: { address: 'ana@kovac.test', name: 'Ana' },
    })
    expect(await check(await written('Ana <ana@kovac.test>', 'ANA@Kovac.Test'))).toMatchObject({
      proven: true,
      from: { address: 'ana@kovac.test' },
    })
  })

  it('says which of the lines that place it among others were signed', async () => {
    const answering = letter.replace(
      'Subject:',
      'In-Reply-To: <1@home.test>\nReferences: <1@home.test>\nSubject:',
    )
    const placed = ['message-id', 'in-reply-to', 'references']
    expect((await check(await signed(answering, mine)))?.signed).toEqual(placed)
    expect((await check(await signed(letter, mine)))?.signed).toEqual(placed)
    for (const line of ['References: <target@kovac.test>', 'In-Reply-To: <target@kovac.test>'])
      for (const written of [letter, answering]) {
        const added = await check(`${line}\n${await signed(written, mine)}`)
        const field = line.split(':', 1)[0]?.toLowerCase()
        expect(added).toMatchObject({ proven: true, signed: placed.filter((each) => each !== field) })
      }
  })

  it('does not take the signature of another domain for theirs', async () => {
    const { domain, key: writersKey } = mine
    const headerList = 'from:to:subject:date:mime-version:content-type:content-transfer-encoding'.split(':')
    const raw = await signed(letter, { domain, key: writersKey, change: { headerList } })
    const before = await check(raw)
    expect(before).toMatchObject({ proven: true, signed: ['in-reply-to', 'references'] })
    const others = { domain: 'evil.test', key }
    const renamed = await signed(raw.replace('<1@kovac.test>', '<2@kovac.test>'), others)
    expect(await check(renamed)).toMatchObject({ proven: true, id: before?.id, signed: before?.signed })
    const placed = await signed(`References: <target@kovac.test>\r\n${raw}`, others)
    expect(await check(placed)).toMatchObject({ proven: true, id: before?.id, signed: ['in-reply-to'] })
  })

  it('is proven by a signature of a part of their domain, as DMARC has it', async () => {
    expect(await check(await signed(letter, { ...mine, domain: 'mail.kovac.test' }))).toMatchObject({
      proven: true,
    })
  })

  it('is not proven without a signature, whatever servers wrote down about it', async () => {
    const claims = 'Authentication-Results: home.test; dkim=pass; dmarc=pass; spf=pass\nReceived-SPF: pass\n'
    expect(await check(letter)).toMatchObject({ proven: false })
    expect(await check(claims + letter)).toMatchObject({ proven: false })
  })

  it('is not proven by the address of the server that brought it', async () => {
    const brought = `Return-Path: <ana@kovac.test>\nReceived: from mx.kovac.test (mx.kovac.test [8.8.4.7])\n\tby mail.home.test (Postfix) with ESMTPS id 1;\n\tWed, 18 Nov 2026 10:00:00 +0000 (UTC)\n${letter}`
    const asked: string[] = []
    const records: DnsRecords = (name, type) => {
      asked.push(`${type} ${name}`)
      return recordsOf({ ...zone, 'kovac.test': 'v=spf1 ip4:8.8.4.7 -all' })(name, type)
    }
    expect(await check(brought, records)).toMatchObject({ proven: false })
    expect(asked).not.toContain('TXT kovac.test')
  })

  it('is not proven by the signature of another domain', async () => {
    expect(await check(await signed(letter, { domain: 'evil.test', key }))).toMatchObject({ proven: false })
  })

  it('is not proven by a domain that has no DMARC record', async () => {
    const raw = await signed(letter.replace('ana@kovac.test', 'ana@lenient.test'), {
      domain: 'lenient.test',
      key,
    })
    expect(await check(raw)).toMatchObject({ proven: false })
  })

  it('is not proven by words that were changed on the way', async () => {
    const raw = await signed(letter, mine)
    expect(await check(raw.replace('Please pay.', 'Please pay me.'))).toMatchObject({ proven: false })
    expect(await check(raw.replace('The invoice', 'Another'))).toMatchObject({ proven: false })
    expect(await check(raw.replace('<1@kovac.test>', '<2@kovac.test>'))).toMatchObject({ proven: false })
  })

  it('is not proven by a signature under the beginning of the words', async () => {
    const raw = await signed(letter, { ...mine, change: { maxBodyLength: 5 } })
    expect(raw).toMatch(/\bl=5/)
    expect(await check(`${raw}And the rest.\n`)).toMatchObject({ proven: false })
    expect(await check(raw)).toMatchObject({ proven: false })
  })

  it('is not proven by SHA-1', async () => {
    const raw = await signed(letter, { ...mine, change: { algorithm: 'rsa-sha1' } })
    expect(await check(raw)).toMatchObject({ proven: false })
  })

  it.each([
    'Subject: Pay the thief',
    'From: Ana <ana@kovac.test>',
    'Reply-To: thief@evil.test',
    'Sender: thief@evil.test',
    'Cc: x@y.test',
    'To: me@home.test',
    'Date: Wed, 18 Nov 2026 10:00:01 +0000',
    'Content-Type: text/html',
    'Message-ID: <3@kovac.test>',
    'Content-Transfer-Encoding: base64',
  ])('is not proven where somebody added %s', async (line) => {
    const raw = await signed(letter, mine)
    for (const changed of [`${line}\n${raw}`, raw.replace('\r\n\r\n', `\r\n${line}\r\n\r\n`)])
      expect((await check(changed))?.proven ?? false).toBe(false)
  })

  it('is proven still where servers wrote on top what is shown to nobody', async () => {
    const raw = await signed(letter, mine)
    const above =
      'Delivered-To: me@home.test\nX-Spam: no\nReceived: from x by y; Wed, 18 Nov 2026 10:00:01 +0000\n'
    expect(await check(above + raw)).toMatchObject({ proven: true })
  })

  it.each([
    ['several addresses', 'From: ana@kovac.test, boss@kovac.test'],
    ['two lines', 'From: ana@kovac.test\nFrom: boss@kovac.test'],
    ['a group', 'From: Team: ana@kovac.test, boss@kovac.test;'],
    ['nobody', 'From: Ana'],
    ['an empty line', 'From:'],
    ['no line', 'X-From: ana@kovac.test'],
    ['an address in letters that look alike', 'From: ana@kоvac.test@evil.test'],
  ])('is nobody where From names %s', async (_, from) => {
    const raw = await written('From: Ana <ana@kovac.test>', from).catch(() =>
      letter.replace(/^From.*$/m, from),
    )
    expect((await check(raw))?.proven ?? false).toBe(false)
  })

  it.each([
    ['a comment of 16 kB', `From: (${'x'.repeat(16_000)}) ana@kovac.test`],
    ['a comment of 16 kB after it', `From: ana@kovac.test (${'x '.repeat(8_000)})`],
    ['a comment', 'From: ana@kovac.test (boss@home.test)'],
    ['a name of 16 kB', `From: "${'x'.repeat(16_000)}" <ana@kovac.test>`],
    ['a route', 'From: <@evil.test:ana@kovac.test>'],
    ['a group of one', 'From: Team: ana@kovac.test;'],
    ['an address before the address', 'From: boss@home.test <ana@kovac.test>'],
  ])('is not proven where From has %s', async (_, from) => {
    const read = await check(await written('From: Ana <ana@kovac.test>', from))
    expect(read?.proven ?? false).toBe(false)
    if (read) expect(read.from.address).toBe('ana@kovac.test')
  })

  it('is never called by the address of somebody else', async () => {
    const read = await check(await written('From: Ana <', 'From: "boss@home.test" <'))
    expect(read).toMatchObject({ from: { address: 'ana@kovac.test', name: 'ana@kovac.test' } })
    const encoded = `=?utf-8?B?${Buffer.from('boss@home.test').toString('base64')}?=`
    expect(await check(await written('From: Ana <', `From: ${encoded} <`))).toMatchObject({
      from: { name: 'ana@kovac.test' },
    })
  })

  it('is not proven where they wrote to somebody else, who shows it to us', async () => {
    expect(await check(await written('To: me@home.test', 'To: eve@evil.test'))).toMatchObject({
      proven: false,
    })
    expect(
      await check(await written('To: me@home.test', 'To: eve@evil.test\nCc: Me <ME@home.test>')),
    ).toMatchObject({
      proven: true,
    })
    expect(
      await check(await written('To: me@home.test', 'To: "me@home.test" <eve@evil.test>')),
    ).toMatchObject({
      proven: false,
    })
  })

  it('is not proven by what was written long ago, or is said to come', async () => {
    const raw = await signed(letter, mine)
    const at = (text: string) => check(raw, recordsOf(zone), new Date(text))
    expect(await at('2026-11-22T10:00:00Z')).toMatchObject({ proven: true })
    expect(await at('2026-11-24T10:00:00Z')).toMatchObject({ proven: false })
    expect(await at('2026-11-16T10:00:00Z')).toMatchObject({ proven: false })
    expect(await check(await written(/Date: .*/, 'Date: today'))).toMatchObject({ proven: false })
  })

  it('is asked about again where nobody answered', async () => {
    const raw = await signed(letter, mine)
    await expect(check(raw, recordsOf({ ...zone, 'one._domainkey.kovac.test': 'silent' }))).rejects.toThrow()
    await expect(check(raw, recordsOf({ ...zone, '_dmarc.kovac.test': 'silent' }))).rejects.toThrow()
  })

  it('makes us ask for a bounded number of names, and for none of a local network', async () => {
    const asked: string[] = []
    const records: DnsRecords = (name, type) => {
      asked.push(name)
      return recordsOf({})(name, type)
    }
    const line = (domain: string) =>
      `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=s; h=from; bh=AAAA; b=AAAA\n`
    const many = Array.from({ length: 400 }, (_, index) => line(`d${index}.test`)).join('')
    expect(await check(many + letter, records)).toMatchObject({ proven: false })
    expect(asked.length).toBeLessThanOrEqual(40)
    expect(await check(line('router.local') + line('10.0.0.1') + letter, records)).toMatchObject({
      proven: false,
    })
    expect(asked.every(isPublicName)).toBe(true)
  })
})

describe('the id of an e-mail', () => {
  const idOf = async (raw: string) => (await check(raw))?.id

  it('is the same for whoever shows a proven e-mail once more', async () => {
    const raw = await signed(letter, mine)
    const again = [
      `Received: from x by y\n${raw}`,
      `X-Other: 1\nDelivered-To: me@home.test\n${raw}`,
      raw.replace('Please pay.\r\n', 'Please  pay. \r\n\r\n\r\n'),
      raw.replace('Subject: The invoice', 'SUBJECT:  The \r\n invoice'),
    ]
    for (const copy of again) {
      expect(await check(copy)).toMatchObject({ proven: true })
      expect(await idOf(copy)).toBe(await idOf(raw))
    }
  })

  it('is another for every e-mail that was written', async () => {
    const raws = [
      letter,
      letter.replace('<1@', '<2@'),
      letter.replace('pay', 'stay'),
      letter.replace(':00 +', ':01 +'),
    ]
    const ids = await Promise.all(raws.map(async (raw) => idOf(await signed(raw, mine))))
    expect(new Set(ids).size).toBe(raws.length)
  })

  it('cannot be taken by somebody who only calls their e-mail so', async () => {
    const raw = await signed(letter, mine)
    expect(await idOf(letter)).not.toBe(await idOf(raw))
    // A name of the e-mail that is not signed is no part of it.
    const unsigned = await signed(letter.replace(/^Message-ID.*\n/m, ''), mine)
    expect(await idOf(`Message-ID: <8@x.test>\n${unsigned}`)).toBe(
      await idOf(`Message-ID: <9@x.test>\n${unsigned}`),
    )
  })
})
