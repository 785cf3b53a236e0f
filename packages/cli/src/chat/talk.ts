/** Owns everything that a conversation needs around it, for a terminal as for a pipe. */
import { randomUUID } from 'node:crypto'
import type { Addressee, SessionId } from '@countersign/contract'
import type { Gateway } from '../connection.ts'
import type { Context } from '../context.ts'
import { type Conversation, openConversation } from './conversation.ts'
import { createFooter } from './footer.ts'
import { liveLine } from './live.ts'
import { createPrompt, type Prompt } from './prompt.ts'
import { plainRetryKeys } from './retry.ts'
import { createScreen } from './screen.ts'
import { awaitedRetry, type ChatOutput, type ChatState } from './state.ts'

export interface ChatTerminal {
  readonly conversation: Conversation
  readonly prompt: Prompt
  /** Reads what is typed until the operator leaves. Ctrl-C stops a run that waits for its next try, and leaves otherwise. */
  converse(): Promise<'left' | 'interrupted'>
  close(): void
}

export interface ChatTerminalOptions {
  readonly context: Context
  readonly gateway: Gateway
  readonly session: SessionId | null
  readonly to?: Addressee
  /** Whether single letters decide: only where a person types. */
  readonly letters: boolean
  /** Whether a prompt stands there all the time, or only while something waits for an answer. */
  readonly prompts: 'always' | 'when-asked'
}

const secondMs = 1_000
/** The live line is drawn at most this often, however fast the model writes. */
const drawMs = 100

export async function openChatTerminal(options: ChatTerminalOptions): Promise<ChatTerminal> {
  const { context, gateway } = options
  const { host, redraws } = context
  const over = new AbortController()
  const footer = createFooter(context)
  const screen = createScreen({
    write: (text) => host.output.write(text),
    beforeWrite: footer.hide,
    afterLine: footer.draw,
    paint: context.paint,
    clock: host.clock,
    keys: footer.keys,
    retryHint: options.letters ? plainRetryKeys : '',
    ...(redraws
      ? { size: () => ({ columns: host.output.columns || 80, rows: host.output.rows || 24 }) }
      : {}),
  })
  let conversation: Conversation | undefined
  const opened = (): Conversation => {
    if (!conversation) throw new Error('The conversation is not open yet.')
    return conversation
  }
  const prompt = createPrompt({
    conversation: opened,
    gateway,
    print: screen.block,
    style: () => ({ paint: context.paint, moment: context.moment() }),
    clock: host.clock,
    letters: options.letters,
  })
  const live = () => (conversation ? liveLine(conversation.state(), host.clock(), context.paint) : null)
  let shown: { readonly text: string | null; readonly at: number } = { text: null, at: 0 }

  /** The counter of a call that is being written rises with every piece; the eye does not need each of them. */
  function drawLive(state: ChatState): void {
    const text = liveLine(state, host.clock(), context.paint)
    if (text === shown.text) return
    const now = performance.now()
    if (text !== null && shown.text !== null && now - shown.at < drawMs) return
    shown = { text, at: now }
    if (state.doing?.kind === 'calling') screen.breakLine()
    footer.draw()
  }

  const onChange = (state: ChatState, shows: readonly ChatOutput[]) => {
    for (const show of shows)
      if (show.kind !== 'verdict' || !prompt.isOwnVerdict(show.approval)) screen.show(show)
    prompt.present(state)
    if (redraws && conversation) drawLive(state)
  }
  conversation = await openConversation({
    gateway,
    session: options.session,
    ...(options.to ? { to: options.to } : {}),
    uuid: randomUUID,
    wait: host.wait,
    onChange,
    signal: over.signal,
  })
  const ticking = setInterval(() => {
    if (redraws && awaitedRetry(opened().state()) !== undefined) footer.draw()
  }, secondMs)

  function converse(): Promise<'left' | 'interrupted'> {
    const label = () => prompt.label(options.prompts === 'always' ? '> ' : '')
    const reader = footer.open({ label, live, busy: screen.isMidLine })
    return new Promise((resolve, reject) => {
      // Lines do not wait for each other, so that /exit works while a message waits for the gateway to come back.
      const take = (text: string) => {
        prompt.take(text).then((next) => (next === 'leave' ? resolve('left') : footer.draw()), reject)
        footer.draw()
      }
      reader.on('line', take)
      reader.on('SIGINT', () =>
        awaitedRetry(opened().state()) === undefined ? resolve('interrupted') : take('/stop'),
      )
      reader.on('close', () => resolve('left'))
      opened()
        .until(() => false)
        .catch(reject)
      footer.draw()
    })
  }

  return {
    conversation,
    prompt,
    converse,
    close() {
      clearInterval(ticking)
      footer.close()
      over.abort()
    },
  }
}
