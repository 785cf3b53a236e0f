/** Owns how attacks have e-mails looked at: as the executor does, in the sandbox, with a DNS of their own. */
import { Buffer } from 'node:buffer'
import { forThoseShown, MailContent, mailLimits, type SenderCheck } from '@countersign/tools'
import { createSenderChecks } from '../../../../../packages/executor/src/mail/check-sender.ts'
import { signedMail } from '../../../../../packages/executor/src/mail/testing/signed-mail.ts'
import { openMailBench } from '../mail/bench.ts'
import type { Stage } from './stage.ts'

const { signal } = new AbortController()

export interface ReceivedLetters {
  /** As the server of `evil.test` signs it. */
  signed(lines: readonly string[]): Promise<string>
  received(raw: string): Promise<{ readonly mail: MailContent; readonly sender: SenderCheck }>
}

export async function openReceivedLetters(stage: Stage): Promise<ReceivedLetters> {
  const bench = await openMailBench()
  stage.afterwards(() => bench.close())
  const { documents, privateKey, records } = bench
  return {
    async signed(lines) {
      const raw = Buffer.from(lines.map((line) => `${line}\r\n`).join(''))
      return (await signedMail(raw, { domain: 'evil.test', privateKey })).toString()
    },
    async received(raw) {
      const bytes = Buffer.from(raw)
      const job = { program: 'mail', op: 'read', maxCharacters: mailLimits.text } as const
      const read = await documents.run({ job, form: MailContent }, bytes, signal)
      if (read.kind === 'failed') throw new Error(read.reason)
      const found = await createSenderChecks(records).check('one', bytes, documents, signal)
      return { mail: read.facts, sender: forThoseShown(found, read.facts.from) }
    },
  }
}
