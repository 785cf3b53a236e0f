/** `countersign chat`: a conversation in the terminal, or one line after another from a pipe. */
import { createInterface } from 'node:readline'
import { type Addressee, CountersignError, type ModelChoice, SessionId } from '@countersign/contract'
import { openChatHistory } from '../chat/history.ts'
import { activeRun, isSettled } from '../chat/state.ts'
import { openChatTerminal } from '../chat/talk.ts'
import type { Gateway } from '../connection.ts'
import type { Context, Handler, OptionValues } from '../context.ts'
import { type CommandAnswer, ended } from '../output/answer.ts'
import { indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { line, lines } from '../output/safe-text.ts'
import { shortId } from '../short-id.ts'

const remembered = 6
const parkedExit = 5
const interruptedExit = 130

export const chat: Handler = async (context, [session], options) => {
  if (context.flags.json) return usage('`chat` has no JSON output. Use `countersign ask --json`.', 'chat')
  const id = session === undefined ? null : sessionId(session)
  const gateway = await context.gateway()
  if (id !== null) context.say((await lastMessages(gateway, id, context)).trimEnd().concat('\n'))
  const to = addressee(options)
  return context.interactive ? inTerminal(context, gateway, id, to) : fromPipe(context, gateway, id, to)
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

async function inTerminal(
  context: Context,
  gateway: Gateway,
  session: SessionId | null,
  to: Addressee & ModelChoice,
): Promise<CommandAnswer> {
  const history = openChatHistory(await context.paths())
  const talk = { context, gateway, session, to, letters: true, prompts: 'always', history } as const
  const { conversation, converse, close } = await openChatTerminal(talk)
  context.note(
    `${await modelWords(gateway)}Type a message, or / and Tab. A \\ at the end goes on in the next line; Ctrl-D leaves.`,
  )
  const how = await converse().finally(close)
  context.host.output.write('\n')
  if (how === 'new') return inTerminal(context, gateway, null, to)
  const run = activeRun(conversation.state())
  if (run !== null)
    context.note(
      `It goes on without you. Come back with \`countersign chat ${shortId(conversation.state().session ?? '')}\`, or stop it with \`countersign run stop ${shortId(run)}\`.`,
    )
  return ended(how === 'interrupted' ? interruptedExit : 0)
}

async function modelWords({ client }: Gateway): Promise<string> {
  const { model } = (await client.status()).model
  return model === '' ? '' : `Talking with ${line(model)}. `
}

/** Each line is a message; the next one is sent when the run of the last has ended or waits. */
async function fromPipe(
  context: Context,
  gateway: Gateway,
  session: SessionId | null,
  to: Addressee & ModelChoice,
): Promise<CommandAnswer> {
  const { conversation, prompt, close } = await openChatTerminal({
    context,
    gateway,
    session,
    to,
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
  }
}

async function lastMessages(gateway: Gateway, session: SessionId, context: Context): Promise<string> {
  const detail = await gateway.client.session(session)
  const messages = detail.messages.filter((message) => message.text !== '')
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
