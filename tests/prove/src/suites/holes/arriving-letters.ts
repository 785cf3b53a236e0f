/** Owns how attacks send e-mails to a watched folder: a real mail server, and the look as the executor does it. */
import { Buffer } from 'node:buffer'
import { type MailServers, startMailServers } from '@countersign/executor/mail-servers'
import type { Failure, MailArrivals, WantedMail } from '@countersign/tools'
import { arrivedMail } from '../../../../../packages/executor/src/mail/arrived-mail.ts'
import { createSenderChecks } from '../../../../../packages/executor/src/mail/check-sender.ts'
import { signedMail } from '../../../../../packages/executor/src/mail/testing/signed-mail.ts'
import { until } from '../../until.ts'
import { openMailBench } from '../mail/bench.ts'
import type { Stage } from './stage.ts'

const { signal } = new AbortController()

export interface ArrivingLetters {
  /** As the server of `evil.test` signs it. */
  signed(lines: readonly string[]): Promise<string>
  /** Puts them into the inbox, and waits until they are there. */
  deliver(letters: readonly string[]): Promise<void>
  look(
    wanted?: Partial<WantedMail>,
  ): Promise<{ readonly kind: 'looked'; readonly arrivals: MailArrivals } | Failure>
  /** Up to where the folder is now. */
  end(): Promise<MailArrivals['seen']>
}

export async function openArrivingLetters(stage: Stage): Promise<ArrivingLetters> {
  const bench = await openMailBench()
  stage.afterwards(() => bench.close())
  const servers: MailServers = await startMailServers()
  stage.afterwards(() => servers.close())
  const { documents, records, privateKey } = bench
  const login = { account: servers.account('home', 'me@home.test'), password: servers.password }
  const places = { ports: [], allowPrivate: [{ host: 'localhost', port: servers.ports.imap }] }
  const parts = { places, lookup: async () => ['127.0.0.1'], documents }
  const look: ArrivingLetters['look'] = (wanted = {}) =>
    arrivedMail(
      login,
      { folder: 'INBOX', ...wanted },
      { ...parts, senders: createSenderChecks(records) },
      signal,
    )
  const end = async () => {
    const looked = await look()
    if (looked.kind === 'failed') throw new Error(looked.reason)
    return looked.arrivals.seen
  }
  return {
    look,
    end,
    async signed(lines) {
      const raw = Buffer.from(lines.map((line) => `${line}\r\n`).join(''))
      return (await signedMail(raw, { domain: 'evil.test', privateKey })).toString()
    },
    async deliver(letters) {
      const before = await end()
      for (const letter of letters) await servers.deliver('me@home.test', letter)
      const areThere = async () => (await end()).uid >= before.uid + letters.length
      if (!(await until(areThere, 120_000))) throw new Error(`The letters did not come.\n${servers.log()}`)
    },
  }
}
