/** Tries e-mails of strangers: whoever reads them is told who really wrote, and what a person would see. */
import { MailContent, mailLimits, type SenderCheck } from '@countersign/tools'
import { createSenderChecks } from '../../../../../packages/executor/src/mail/check-sender.ts'
import { signedMail } from '../../../../../packages/executor/src/mail/testing/signed-mail.ts'
import { createRandom } from '../../../../../packages/executor/src/testing/random.ts'
import { senderDoubts } from '../../../../../packages/tools/src/mail/sender-check.ts'
import type { MailBench } from './bench.ts'
import { type HostileMail, hostileMail } from './hostile-mails.ts'
import type { Part, TrialOptions, Wrong } from './trial.ts'

const { signal } = new AbortController()

export async function tryReceived(
  count: number,
  { seed, log }: TrialOptions,
  bench: MailBench,
): Promise<Part> {
  const random = createRandom(seed)
  const mails = Array.from({ length: count }, (_, index) => hostileMail(index, random))
  const wrong: { kind: Wrong; text: string }[] = []
  const outcomes: Record<string, number> = {}
  const waiting = [...mails.entries()]
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, mail] = next
      const { outcome, problems } = await attempt(mail, index, bench)
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      wrong.push(...problems.map(({ kind, text }) => ({ kind, text: `${mail.name} (${index}): ${text}` })))
      if (index % 200 === 199) log(`${index + 1} of ${count} received, ${wrong.length} wrong`)
    }
  }
  await Promise.all([lane(), lane()])
  return { trials: count, wrong, outcomes }
}

interface Attempt {
  readonly outcome: string
  readonly problems: { readonly kind: Wrong; readonly text: string }[]
}

async function attempt(mail: HostileMail, index: number, bench: MailBench): Promise<Attempt> {
  const { privateKey } = bench
  const raw =
    mail.signed === true ? await signedMail(mail.raw, { domain: 'evil.test', privateKey }) : mail.raw
  const job = { program: 'mail', op: 'read', maxCharacters: mailLimits.text } as const
  const read = await bench.documents.run({ job, form: MailContent }, raw, signal)
  if (read.kind === 'failed') {
    // What cannot be opened is told to be so; a page and a plain e-mail can be.
    const mustOpen = mail.shown !== undefined || mail.pretends === true
    return {
      outcome: 'refused',
      problems: mustOpen ? [{ kind: 'other', text: `was not opened: ${read.reason}` }] : [],
    }
  }
  const problems = contentProblems(mail, read.facts)
  if (mail.pretends !== true) return { outcome: 'read', problems }
  const checks = createSenderChecks(bench.records)
  const sender = await checks.check(String(index), raw, bench.documents, signal)
  return { outcome: 'checked', problems: [...problems, ...senderProblems(read.facts, sender)] }
}

function contentProblems(
  { hidden, shown, senders = [] }: HostileMail,
  { text, from }: MailContent,
): Attempt['problems'] {
  const told = from.map(({ address }) => address.toLowerCase())
  return [
    ...(hidden !== undefined && text.includes(hidden)
      ? [{ kind: 'misattributed' as const, text: 'says what the sender does not say to a reader' }]
      : []),
    ...(shown !== undefined && !text.includes(shown)
      ? [{ kind: 'other' as const, text: 'lost its text' }]
      : []),
    ...senders
      .filter((sender) => !told.includes(sender))
      .map((sender) => ({
        kind: 'misattributed' as const,
        text: `${sender} is not told among ${told.join(', ')}`,
      })),
  ]
}

/** It is told to be of `kovac.test` only with a warning beside it. */
function senderProblems({ from }: MailContent, { proven, domain }: SenderCheck): Attempt['problems'] {
  const text = JSON.stringify(from).normalize('NFKC').toLowerCase()
  const looksOwn = text.includes('kovac.test') || text.includes('xn--')
  if (proven && domain === 'kovac.test')
    return [{ kind: 'misattributed', text: 'is proven to be of kovac.test' }]
  if (proven && looksOwn && senderDoubts(from).length === 0)
    return [{ kind: 'misattributed', text: `is shown as ${text} without a warning` }]
  return []
}
