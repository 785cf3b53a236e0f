/**
 * Tries fields that want to say more than their card shows: through the form of the tool, and where that takes them,
 * through the whole sending to a server that keeps what it was given. What it was given is what the fields say.
 */
import { MailContent, mailLimits, type OutgoingMail } from '@countersign/tools'
import { mailCapabilities } from '../../../../../packages/executor/src/capabilities/mail.ts'
import { createOutbox } from '../../../../../packages/executor/src/mail/outbox.ts'
import {
  type ScriptedSmtp,
  startScriptedSmtp,
} from '../../../../../packages/executor/src/mail/testing/scripted-smtp.ts'
import { createRandom, type Random } from '../../../../../packages/executor/src/testing/random.ts'
import { answerTo } from '../../../../../packages/tools/src/mail/reply-email.ts'
import { sendEmail } from '../../../../../packages/tools/src/mail/send-email.ts'
import type { MailBench } from './bench.ts'
import type { Part, TrialOptions, Wrong } from './trial.ts'

const { signal } = new AbortController()

interface Fields {
  readonly to: unknown
  readonly cc: unknown
  readonly bcc: unknown
  readonly subject: unknown
  readonly body: unknown
  readonly inReplyTo?: unknown
  readonly references?: unknown
}

interface Taken extends Pick<OutgoingMail, 'to' | 'cc' | 'bcc' | 'subject' | 'body'> {
  readonly inReplyTo?: string
  readonly references?: readonly string[]
}

const breaks = ['\r\n', '\n', '\r', '\u2028', '\u0085', '\0', '%0d%0a', '\\r\\n', '=?utf-8?q?=0d=0a?=']
const more = [
  'Bcc: evil@evil.test',
  'To: evil@evil.test',
  'Subject: other',
  '\r\nother body',
  '.\r\nMAIL FROM:<x@y.z>',
]
const people = [
  'ana@kovac.test',
  'ana@kovac.test, evil@evil.test',
  'Ana <ana@kovac.test>',
  'ana@kovac.test (evil@evil.test)',
  '"evil@evil.test" <ana@kovac.test>',
  'ana@kovac.test> RCPT TO:<evil@evil.test',
  '<ana@kovac.test>',
  'ana@[127.0.0.1]',
  '@evil.test:ana@kovac.test',
  'group: evil@evil.test;',
  'ana@kovac.test\u202e',
  '=?utf-8?q?evil=40evil.test?= <ana@kovac.test>',
]

function hostile(random: Random): Fields {
  const attack = () => `a${random.pick(breaks)}${random.pick(more)}`
  const person = () => random.pick(random.below(3) === 0 ? [`${random.pick(people)}${attack()}`] : people)
  const at = random.below(6)
  const id = `<1@x.test${at === 5 ? attack() : ''}>`
  return {
    to: at === 0 ? person() : at === 1 ? [person(), 'ana@kovac.test'] : 'ana@kovac.test',
    cc: at === 2 ? [person()] : [],
    bcc: random.below(4) === 0 ? ['bob@kovac.test'] : at === 2 ? [person()] : [],
    subject:
      at === 3
        ? attack()
        : random.pick(['plain', '=?utf-8?b?DQpCY2M6IGV2aWxAZXZpbC50ZXN0?=', 'ä'.repeat(200)]),
    body: at === 4 ? `${attack()}\r\n.\r\nQUIT\r\n` : 'Hello.\n.\nEnd.',
    ...(at === 5 ? { inReplyTo: id, references: [id, '<2@x.test>'] } : {}),
  }
}

export async function tryOutgoing(count: number, { seed }: TrialOptions, bench: MailBench): Promise<Part> {
  const random = createRandom(seed + 1)
  const server = await startScriptedSmtp()
  const wrong: { kind: Wrong; text: string }[] = []
  const outcomes: Record<string, number> = {}
  try {
    for (let index = 0; index < count; index += 1) {
      const fields = index % 8 === 7 ? await answering(random, bench) : hostile(random)
      const { outcome, problems } = await attempt(fields, `${seed}-${index}`, server, bench)
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      wrong.push(
        ...problems.map(({ kind, text }) => ({
          kind,
          text: `${JSON.stringify(fields).slice(0, 300)}: ${text}`,
        })),
      )
    }
  } finally {
    await server.close()
  }
  return { trials: count, wrong, outcomes }
}

/** An answer to an e-mail whose fields want to get into it. */
async function answering(random: Random, { documents }: MailBench): Promise<Fields> {
  const attack = `${random.pick(['=?utf-8?q?=0d=0aBcc=3a_evil=40evil.test?=', 'a\r\n b', 'a\u2028Bcc: evil@evil.test'])}`
  const raw = `From: "${attack}" <ana@kovac.test>\r\nReply-To: ${random.pick(people).replaceAll(/[\r\n]/g, '')}\r\nTo: me@home.test, ${random.pick(people).replaceAll(/[\r\n]/g, '')}\r\nSubject: ${attack}\r\nMessage-ID: <${random.pick(['1@x', '1 2@x', 'ä@x', 'a>\tBcc: x <b@c'])}>\r\nReferences: <0@x> ${attack}\r\n\r\nx\r\n`
  const job = { program: 'mail', op: 'read', maxCharacters: mailLimits.text } as const
  const read = await documents.run({ job, form: MailContent }, Buffer.from(raw), signal)
  if (read.kind === 'failed') throw new Error(read.reason)
  const answer = answerTo(read.facts, 'me@home.test', true)
  if (typeof answer === 'string') return { to: [], cc: [], bcc: [], subject: '', body: 'x' }
  return { bcc: [], body: 'Answered.', ...answer } as Fields
}

interface Attempt {
  readonly outcome: string
  readonly problems: { readonly kind: Wrong; readonly text: string }[]
}

async function attempt(
  fields: Fields,
  nonce: string,
  server: ScriptedSmtp,
  bench: MailBench,
): Promise<Attempt> {
  const parsed = sendEmail.input.safeParse({ ...fields, attachments: [], draft: false })
  if (!parsed.success) return { outcome: 'refused', problems: [] }
  const { to, cc, bcc, subject, body, inReplyTo = null, references = [] } = parsed.data as unknown as Taken
  const account = {
    name: 'home',
    address: 'me@home.test',
    displayName: 'Me',
    user: 'me',
    imap: { host: 'localhost', port: 1, security: 'none' as const },
    smtp: { host: 'localhost', port: server.port, security: 'none' as const },
    secret: 'mail.home',
  }
  const resources = (['IMAP', 'SMTP'] as const).map((method) => ({
    type: 'url',
    scheme: 'http',
    host: 'localhost',
    port: method === 'IMAP' ? 1 : server.port,
    method,
  }))
  const mailbox = mailCapabilities({ resources, sandbox: 'files', nonce } as never, {
    places: { ports: [], allowPrivate: [{ host: 'localhost', port: server.port }] },
    outbox: createOutbox(`${bench.folder}/outbox`, () => new Date()),
    lookup: async () => ['127.0.0.1'],
    secrets: { value: () => 'password' },
  })
  const before = server.taken.length
  const outgoing = { to, cc, bcc, subject, body, inReplyTo, references, attachments: [] }
  const sent = await mailbox.send(account, outgoing, signal)
  const taken = server.taken.slice(before)
  if (sent.kind !== 'sent') {
    const untrue = taken.length > 0 && sent.kind === 'failed'
    return {
      outcome: sent.kind,
      problems: untrue ? [{ kind: 'other', text: 'went out and is said to have failed' }] : [],
    }
  }
  const doubled =
    taken.length === 1 ? [] : [{ kind: 'doubled' as const, text: `went out ${taken.length} times` }]
  const named = [...to, ...cc, ...bcc].map((one) => `<${one}>`)
  return {
    outcome: 'sent',
    problems: [
      ...doubled,
      ...recipientProblems(named, server.recipients.slice(before).flat()),
      ...headerProblems(taken[0] ?? '', { to, cc }),
    ],
  }
}

function recipientProblems(named: readonly string[], given: readonly string[]): Attempt['problems'] {
  const plain = /^<[^\s<>,;:()"[\]\\]+@[^\s<>,;:()"[\]\\@]+>$/
  return given
    .filter((one) => !named.includes(one) || !plain.test(one))
    .map((one) => ({ kind: 'unapproved', text: `went to ${one}` }))
}

const known = [
  'from',
  'to',
  'cc',
  'subject',
  'message-id',
  'date',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'in-reply-to',
  'references',
]

function headerProblems(
  raw: string,
  { to, cc }: { readonly to: readonly string[]; readonly cc: readonly string[] },
): Attempt['problems'] {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ')
  const lines = head.split('\r\n').map((line) => line.split(/:\s*/, 1)[0]?.toLowerCase() ?? '')
  const addressed = (name: string) =>
    head
      .split('\r\n')
      .filter((line) => line.toLowerCase().startsWith(`${name}:`))
      .flatMap((line) => line.slice(name.length + 1).split(','))
      .map((one) => one.trim())
  const wanted = (name: string, people: readonly string[]) =>
    JSON.stringify(addressed(name)) === JSON.stringify([...people])
  return [
    ...lines
      .filter((name, at) => !known.includes(name) || lines.indexOf(name) !== at)
      .map((name) => ({ kind: 'unapproved' as const, text: `has a line ${name}` })),
    ...(/[\r\n\0]/.test(head.replaceAll('\r\n', ''))
      ? [{ kind: 'unapproved' as const, text: 'has a bare break' }]
      : []),
    ...(wanted('to', to) && wanted('cc', cc)
      ? []
      : [{ kind: 'unapproved' as const, text: `names ${addressed('to').join(' + ')}` }]),
    ...(/^From: Me <me@home\.test>$/m.test(head.replaceAll('\r', ''))
      ? []
      : [{ kind: 'misattributed' as const, text: 'has another sender' }]),
  ]
}
