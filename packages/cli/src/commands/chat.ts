/** `countersign chat`: a conversation in the terminal, or one line after another from a pipe. */
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { CountersignError, SessionId } from '@countersign/contract'
import { type Conversation, openConversation } from '../chat/conversation.ts'
import { createPrompt, type Prompt } from '../chat/prompt.ts'
import { createScreen, type Screen } from '../chat/screen.ts'
import { type ChatState, isSettled, type Show } from '../chat/state.ts'
import type { Gateway } from '../connection.ts'
import type { Context, Handler } from '../context.ts'
import { type Answer, ended } from '../output/answer.ts'
import { indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { line, lines } from '../output/safe.ts'

const remembered = 6
const parkedExit = 5
const interruptedExit = 130

export const chat: Handler = async (context, [session]) => {
  if (context.flags.json)
    return usage('A conversation is not one JSON document. Use `countersign ask --json`.', 'chat')
  const id = session === undefined ? null : sessionId(session)
  const gateway = await context.gateway()
  if (id !== null) context.host.output.write(await lastMessages(gateway, id, context))
  return context.interactive ? inTerminal(context, gateway, id) : fromPipe(context, gateway, id)
}

export function sessionId(text: string): SessionId {
  const read = SessionId.safeParse(text)
  if (!read.success) throw new CountersignError('not_found', `There is no session ${text}.`)
  return read.data
}

/** Everything that a conversation needs around it, for a terminal as for a pipe. */
export interface Talk {
  readonly conversation: Conversation
  readonly prompt: Prompt
  readonly screen: Screen
  close(): void
}

export interface TalkOptions {
  readonly context: Context
  readonly gateway: Gateway
  readonly session: SessionId | null
  readonly letters: boolean
  readonly beforeWrite: () => void
  readonly afterLine: () => void
}

export async function openTalk(options: TalkOptions): Promise<Talk> {
  const { context, gateway } = options
  const { host } = context
  const over = new AbortController()
  const screen = createScreen({
    write: (text) => host.output.write(text),
    beforeWrite: options.beforeWrite,
    afterLine: options.afterLine,
    paint: context.paint,
  })
  let conversation: Conversation | undefined
  const prompt = createPrompt({
    conversation: () => {
      if (!conversation) throw new Error('The conversation is not open yet.')
      return conversation
    },
    gateway,
    print: screen.block,
    style: () => ({ paint: context.paint, moment: context.moment() }),
    clock: host.clock,
    letters: options.letters,
  })
  const onChange = (state: ChatState, shows: readonly Show[]) => {
    for (const show of shows)
      if (show.kind !== 'verdict' || !prompt.isOwnVerdict(show.approval)) screen.show(show)
    prompt.present(state)
  }
  conversation = await openConversation({
    gateway,
    session: options.session,
    uuid: randomUUID,
    wait: host.wait,
    onChange,
    signal: over.signal,
  })
  return { conversation, prompt, screen, close: () => over.abort() }
}

async function inTerminal(context: Context, gateway: Gateway, session: SessionId | null): Promise<Answer> {
  const { host } = context
  let redraw: () => void = () => undefined
  const { prompt, conversation, screen, close } = await openTalk({
    context,
    gateway,
    session,
    letters: true,
    beforeWrite: () => {
      if (context.redraws) host.output.write('\r\u001b[K')
    },
    afterLine: () => redraw(),
  })
  // Only now, so that no line that was typed ahead gets lost.
  const reader = createInterface({ input: host.input, output: host.output, terminal: context.redraws })
  redraw = () => {
    if (screen.isMidLine() || !context.redraws) return
    reader.setPrompt(prompt.label())
    reader.prompt(true)
  }
  context.note('Type a message, or /help. Enter alone does nothing; Ctrl-D leaves.')
  const exit = await new Promise<number>((resolve, fail) => {
    // Lines do not wait for each other, so that /exit works while a message waits for the gateway to come back.
    reader.on('line', (text) => {
      prompt.take(text).then((next) => (next === 'leave' ? resolve(0) : redraw()), fail)
      redraw()
    })
    reader.on('SIGINT', () => resolve(interruptedExit))
    reader.on('close', () => resolve(0))
    conversation.until(() => false).catch(fail)
    redraw()
  }).finally(() => {
    reader.close()
    close()
  })
  host.output.write('\n')
  return ended(exit)
}

/** Each line is a message; the next one is sent when the run of the last has ended or waits. */
async function fromPipe(context: Context, gateway: Gateway, session: SessionId | null): Promise<Answer> {
  const nothing = () => undefined
  const { conversation, prompt, close } = await openTalk({
    context,
    gateway,
    session,
    letters: false,
    beforeWrite: nothing,
    afterLine: nothing,
  })
  try {
    for await (const text of createInterface({ input: context.host.input })) {
      if (text.trim() === '') continue
      if ((await prompt.take(text)) === 'leave') break
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
