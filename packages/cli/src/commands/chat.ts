/** `countersign chat`: a conversation in the terminal, or one line after another from a pipe. */
import { createInterface } from 'node:readline'
import {
  type Addressee,
  CountersignError,
  type MessageView,
  type ModelChoice,
  SessionId,
} from '@countersign/contract'
import { onlyReading, openChatHistory } from '../chat/history.ts'
import { activeRun, isSettled } from '../chat/state.ts'
import { type ChatTerminalOptions, openChatTerminal } from '../chat/talk.ts'
import type { Gateway } from '../connection.ts'
import type { Context, Handler, OptionValues } from '../context.ts'
import { type CommandAnswer, ended } from '../output/answer.ts'
import { bytesWords } from '../output/bytes.ts'
import { indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { line, lines } from '../output/safe-text.ts'
import { shortId } from '../short-id.ts'
import { attach, attachedFiles, readAttachments } from './attach.ts'

const remembered = 6
const parkedExit = 5
const interruptedExit = 130

export const chat: Handler = async (context, [session], options) => {
  if (context.flags.json) return usage('`chat` has no JSON output. Use `countersign ask --json`.', 'chat')
  const id = session === undefined ? null : sessionId(session)
  // Before anything is sent: a file that cannot go should cost nothing.
  const files = readAttachments(attachedFiles(options.attach))
  const gateway = await context.gateway()
  const attached = await attach(context, gateway.client, files)
  if (attached.kind === 'stopped') return attached.answer
  if (id !== null) context.say((await lastMessages(gateway, id, context)).trimEnd().concat('\n'))
  const isPrivate = options.private === true
  if (isPrivate && id !== null)
    return usage('A conversation is private from its first message or never. Leave the session out.', 'chat')
  const to = { ...addressee(options), ...(isPrivate ? { private: true } : {}) }
  const talk = { context, gateway, session: id, to, attachments: attached.attachments }
  return context.interactive ? inTerminal(talk) : fromPipe(talk)
}

/** To whom a conversation that begins is addressed, and which model answers. */
export function addressee(options: OptionValues): Addressee & ModelChoice {
  const { agent, goal, team, model } = options
  return {
    ...(typeof agent === 'string' ? { agent } : {}),
    ...(typeof goal === 'string' ? { goal } : {}),
    ...(typeof team === 'string' ? { team } : {}),
    ...(typeof model === 'string' ? { model } : {}),
  }
}

export function sessionId(text: string): SessionId {
  const read = SessionId.safeParse(text)
  if (!read.success) throw new CountersignError('not_found', `There is no session ${text}.`)
  return read.data
}

type Talk = Required<Pick<ChatTerminalOptions, 'context' | 'gateway' | 'session' | 'to' | 'attachments'>>

async function inTerminal(talk: Talk): Promise<CommandAnswer> {
  const { context, gateway } = talk
  const kept = openChatHistory(await context.paths())
  const history = talk.to.private ? onlyReading(kept) : kept
  const terminal = { ...talk, letters: true, prompts: 'always', history } as const
  const { conversation, converse, close } = await openChatTerminal(terminal)
  if (talk.to.private) context.note('This conversation is private: it is erased when you leave.')
  context.note(
    `${await modelWords(gateway)}Type a message, or / and Tab. A \\ at the end goes on in the next line; Ctrl-D leaves.`,
  )
  const how = await converse().finally(close)
  context.host.output.write('\n')
  const isPrivate = talk.to.private === true
  if (isPrivate) await endPrivate(talk, conversation.state().session)
  if (how === 'new') return inTerminal({ ...talk, session: null, attachments: [] })
  const run = activeRun(conversation.state())
  if (run !== null && !isPrivate)
    context.note(
      `It goes on without you. Come back with \`countersign chat ${shortId(conversation.state().session ?? '')}\`, or stop it with \`countersign run stop ${shortId(run)}\`.`,
    )
  return ended(how === 'interrupted' ? interruptedExit : 0)
}

async function modelWords({ client }: Gateway): Promise<string> {
  const { model, state, problem } = (await client.status()).model
  return state === 'none' ? `Nothing answers yet. ${line(problem ?? '')} ` : `Talking with ${line(model)}. `
}

/** What still runs in it is stopped first. The ledger keeps that something was done, and not what. */
async function endPrivate({ context, gateway }: Talk, session: SessionId | null): Promise<void> {
  if (session === null) return
  await gateway.client.removeSession(session)
  context.note('Everything that was said is erased.')
}

/** Each line is a message; the next one is sent when the run of the last has ended or waits. */
async function fromPipe(talk: Talk): Promise<CommandAnswer> {
  const { context } = talk
  const { conversation, prompt, close } = await openChatTerminal({
    ...talk,
    letters: false,
    prompts: 'when-asked',
  })
  try {
    for await (const text of createInterface({ input: context.host.input })) {
      if (text.trim() === '') continue
      if ((await prompt.take(text)) !== 'stay') break
      if (conversation.state().echoes.length > 0 || conversation.state().own.input !== null)
        await conversation.until(isSettled)
    }
    return ended(conversation.state().waiting.length > 0 ? parkedExit : 0)
  } finally {
    close()
    if (talk.to.private) await endPrivate(talk, conversation.state().session)
  }
}

/** What was said, with the names of the files that went with it. */
function messageLines({ text, attachments = [] }: Pick<MessageView, 'text' | 'attachments'>): string {
  return [text, ...attachments.map(({ name, bytes }) => `[${name}, ${bytesWords(bytes)}]`)]
    .filter((each) => each !== '')
    .join('\n')
}

async function lastMessages(gateway: Gateway, session: SessionId, context: Context): Promise<string> {
  const detail = await gateway.client.session(session)
  const messages = detail.messages
    .map((message) => ({ ...message, text: messageLines(message) }))
    .filter(({ text }) => text !== '')
  return messages
    .slice(-remembered)
    .map(
      (message) =>
        `${context.paint('strong', message.role === 'operator' ? 'You' : 'Assistant')}\n${indent(lines(message.text))}\n\n`,
    )
    .concat(
      messages.length > remembered
        ? [`${messages.length - remembered} older: countersign session show ${line(session)}\n\n`]
        : [],
    )
    .join('')
}
