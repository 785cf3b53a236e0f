/**
 * Owns the mail of a test installation, which has none of its own: letters that came, letters that went, and the two tools
 * for them. What came is private and written by anybody; what goes cannot be taken back.
 */
import { Note } from '@countersign/contract'
import { defineTool, failed, succeeded, type ToolDefinition } from '@countersign/tools'

export interface Letter {
  readonly from: string
  readonly subject: string
  readonly body: string
}

export interface SentLetter {
  readonly to: string
  readonly subject: string
  readonly body: string
}

export interface Mail {
  /** What lies in the inbox now. */
  inbox: readonly Letter[]
  /** What went out, in order. */
  readonly sent: SentLetter[]
  readonly tools: readonly ToolDefinition[]
}

/** A line and a text, as a note has them. */
const { title: line, content: text } = Note.shape
const nothing = Note.pick({})

export function createMail(): Mail {
  const mail: Mail = {
    inbox: [],
    sent: [],
    tools: [readInbox(() => mail.inbox), sendMail((letter) => mail.sent.push(letter))],
  }
  return mail
}

function readInbox(inbox: () => readonly Letter[]): ToolDefinition {
  return defineTool({
    name: 'read_inbox',
    version: '1',
    description: 'Read the mails that came, all or those that hold some words.',
    input: nothing.extend({ search: line.exactOptional() }),
    category: 'mail',
    group: 'core',
    tags: ['mail', 'letters', 'inbox'],
    effect: 'pure',
    floor: 0,
    output: { integrity: 'untrusted', confidentiality: 'private', sources: ['mail'] },
    listed: true,
    runs: 'gateway',
    describe: ({ search }) => (search === undefined ? 'Read the inbox' : `Search the inbox: ${search}`),
    preview: ({ search }) => ({ kind: 'text', title: 'Inbox', text: search ?? '' }),
    effects: async () => ({
      kind: 'found',
      resources: [],
      effects: [
        { verb: 'read', object: 'your inbox', scope: 'inside', reversible: true, outward: false, leaves: [] },
      ],
    }),
    async run({ search = '' }) {
      const found = inbox().filter((letter) => JSON.stringify(letter).includes(search))
      if (found.length === 0) return failed('No mail fits.')
      const told = found.map(({ from, subject, body }) => `From: ${from}\nSubject: ${subject}\n\n${body}`)
      return succeeded(told.join('\n---\n'), `${found.length} mails`)
    },
  })
}

function sendMail(post: (letter: SentLetter) => void): ToolDefinition {
  return defineTool({
    name: 'send_mail',
    version: '1',
    description: 'Send a mail in the name of the operator.',
    input: nothing.extend({ to: line, subject: line, body: text }),
    category: 'mail',
    group: 'core',
    tags: ['mail', 'letter', 'write', 'answer', 'reply'],
    effect: 'once',
    floor: 3,
    output: { integrity: 'tool', confidentiality: 'private', sources: [] },
    listed: true,
    runs: 'gateway',
    describe: ({ to, subject }) => `Send a mail to ${to}: ${subject}`,
    preview: ({ to, subject, body }) => ({ kind: 'text', title: `To ${to}: ${subject}`, text: body }),
    effects: async ({ to, subject }) => ({
      kind: 'found',
      resources: [{ type: 'peer', channel: 'mail', account: 'operator', peer: to }],
      effects: [
        {
          verb: 'send',
          object: to,
          scope: 'boundary',
          reversible: false,
          outward: true,
          leaves: [`a mail: ${subject}`],
        },
      ],
    }),
    async run({ to, subject, body }) {
      post({ to, subject, body })
      return succeeded(`Sent to ${to}.`, `Sent a mail to ${to}`)
    },
  })
}
