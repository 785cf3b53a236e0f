/**
 * A domain signs no Message-ID. Somebody who was sent such an e-mail gives it another one, signs it by a domain of their
 * own, and has the operator say the same words once more.
 */
import { createReadEmail } from '../../../../../../packages/channels/src/email/read-email.ts'
import {
  createSigningKey,
  recordsOf,
  signed,
} from '../../../../../../packages/channels/src/email/testing/signed-mail.ts'
import type { Attack } from '../attack.ts'

const received = new Date('2026-11-18T10:00:10Z')
const letter = `From: Ana <ana@kovac.test>
To: me@home.test, eve@evil.test
Subject: Plans
Date: Wed, 18 Nov 2026 10:00:00 +0000
Message-ID: <1@kovac.test>
Content-Type: text/plain; charset=utf-8

Water the garden once.
`

export const attack: Attack = {
  name: 'resigned-letter-is-new',
  promise: 'An e-mail is the same however often others sign it.',
  mutant: 'any-signature-is-the-writers',
  async run(stage) {
    const key = createSigningKey()
    const end = new AbortController()
    stage.afterwards(() => end.abort())
    const records = recordsOf({
      'one._domainkey.kovac.test': key.record,
      'one._domainkey.evil.test': key.record,
      '_dmarc.kovac.test': 'v=DMARC1; p=reject',
    })
    const read = createReadEmail({ own: 'me@home.test', records, signal: end.signal, patienceMs: 10_000 })
    const heard = async (raw: string) => {
      const bytes = Buffer.from(raw)
      const event = await read({ uid: 1, validity: '1', bytes, isWhole: true, received }).event
      return event?.type === 'message' ? { id: event.id, proven: event.sender.proven } : undefined
    }
    const headerList = ['from', 'to', 'subject', 'date', 'content-type']
    const sent = await signed(letter, { domain: 'kovac.test', key, change: { headerList } })
    const others = { domain: 'evil.test', key }
    const first = await heard(sent)
    const copies = await Promise.all(
      ['<1@kovac.test>', '<2@kovac.test>', '<3@kovac.test>'].map(async (id) =>
        heard(await signed(sent.replace('<1@kovac.test>', id), others)),
      ),
    )
    const isTaken = [first, ...copies].every((one) => one?.proven === true)
    const fresh = copies.filter((one) => one?.id !== first?.id)
    return {
      open: isTaken && fresh.length > 0,
      control: isTaken,
      saw: `${fresh.length} of ${copies.length} copies are taken for another e-mail`,
    }
  },
}
