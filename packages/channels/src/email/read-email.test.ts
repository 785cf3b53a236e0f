import { expect, test } from 'vitest'
import { createReadEmail } from './read-email.ts'
import { createSigningKey, recordsOf, signed } from './testing/signed-mail.ts'

const key = createSigningKey()
const known = recordsOf({
  'one._domainkey.kovac.test': key.record,
  '_dmarc.kovac.test': 'v=DMARC1; p=reject',
})
const received = new Date('2026-11-18T10:00:10Z')
const letter = `From: Ana <ana@kovac.test>
To: me@home.test
Subject: The invoice
Date: Wed, 18 Nov 2026 10:00:00 +0000
Message-ID: <1@kovac.test>
Content-Type: text/plain; charset=utf-8

Please pay.
`

async function provenWith(records: typeof known, patienceMs: number): Promise<boolean | undefined> {
  const read = createReadEmail({
    own: 'me@home.test',
    records,
    signal: new AbortController().signal,
    patienceMs,
  })
  const bytes = Buffer.from(await signed(letter, { domain: 'kovac.test', key }))
  const event = await read({ uid: 1, validity: '1', bytes, isWhole: true, received }).event
  return event?.type === 'message' ? event.sender.proven : undefined
}

test('whoever has the DNS of a writer not answer has an e-mail that nothing proves, before long', async () => {
  const silent: typeof known = () => new Promise(() => undefined)
  expect(await provenWith(known, 60_000)).toBe(true)
  expect(await provenWith(silent, 20)).toBe(false)
})
