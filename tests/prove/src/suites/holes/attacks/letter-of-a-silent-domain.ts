/** A stranger signs e-mails in the name of a domain whose DNS never answers: each of them keeps one of the few places for minutes. */
import { createReadEmail } from '../../../../../../packages/channels/src/email/read-email.ts'
import {
  createSigningKey,
  recordsOf,
  signed,
} from '../../../../../../packages/channels/src/email/testing/signed-mail.ts'
import { until } from '../../../until.ts'
import type { Attack } from '../attack.ts'

const received = new Date('2026-11-18T10:00:10Z')
const letter = `From: Eve <eve@silent.example>
To: me@home.example
Subject: Hello
Date: Wed, 18 Nov 2026 10:00:00 +0000
Message-ID: <1@silent.example>
Content-Type: text/plain; charset=utf-8

Hello.
`

export const attack: Attack = {
  name: 'letter-of-a-silent-domain',
  promise: 'An e-mail is looked at for no longer than seconds, whatever domain it names.',
  mutant: 'silent-writers-are-waited-for',
  async run(stage) {
    const key = createSigningKey()
    const end = new AbortController()
    stage.afterwards(() => end.abort())
    const bytes = Buffer.from(await signed(letter, { domain: 'silent.example', key }))
    const answering = recordsOf({
      'one._domainkey.silent.example': key.record,
      '_dmarc.silent.example': 'v=DMARC1; p=reject',
    })
    const proven: (boolean | undefined)[] = []
    for (const records of [answering, () => new Promise<never>(() => undefined)]) {
      const read = createReadEmail({ own: 'me@home.example', records, signal: end.signal, patienceMs: 500 })
      read({ uid: 1, validity: '1', bytes, isWhole: true, received }).event.then(
        (event) => proven.push(event?.type === 'message' ? event.sender.proven : undefined),
        () => undefined,
      )
      await until(() => proven.length > 0, 10_000)
    }
    const isOver = await until(() => proven.length === 2, 10_000)
    return {
      open: !isOver,
      control: proven[0] === true && proven[1] !== true,
      saw: isOver ? `proven: ${proven.join(', ')}` : 'it was still looked at after ten seconds',
    }
  },
}
