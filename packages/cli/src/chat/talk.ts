/** Owns everything that a conversation needs around it, for a terminal as for a pipe. */
import { randomUUID } from 'node:crypto'
import type { Attachment, SessionId } from '@countersign/contract'
import { whyOf } from '../commands/why.ts'
import type { Gateway } from '../connection.ts'
import type { Context } from '../context.ts'
import { markdown } from '../output/markdown.ts'
import { line } from '../output/safe-text.ts'
import { spinner } from '../output/spinner.ts'
import { type Conversation, type MessageChoices, openConversation } from './conversation.ts'
import { createFooter } from './footer.ts'
import type { ChatHistory } from './history.ts'
import { liveLine } from './live.ts'
import { modelNames } from './model.ts'
import { createPrompt, type Prompt } from './prompt.ts'
import { plainRetryKeys } from './retry.ts'
import { createScreen } from './screen.ts'
import { awaitedRetry, type ChatOutput, type ChatState } from './state.ts'

/** `new`: another conversation is to begin. */
export type ConversationEnd = 'left' | 'interrupted' | 'new'

export interface ChatTerminal {
  readonly conversation: Conversation
  readonly prompt: Prompt
  /** Reads what is typed until the operator leaves. Ctrl-C stops a run that waits for its next try, and leaves otherwise. */
  converse(): Promise<ConversationEnd>
  close(): void
}

export interface ChatTerminalOptions {
  readonly context: Context
  readonly gateway: Gateway
  readonly session: SessionId | null
  readonly to?: MessageChoices
  /** They go with the first message. */
  readonly attachments?: readonly Attachment[]
  /** Whether single letters decide: only where a person types. */
  readonly letters: boolean
  /** Whether a prompt stands there all the time, or only while something waits for an answer. */
  readonly prompts: 'always' | 'when-asked'
  /** What was typed into conversations before. */
  readonly history?: ChatHistory
}

/** How often the mark turns that says that something goes on. */
const turnMs = 240
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
      ? {
          size: () => ({ columns: host.output.columns || 80, rows: host.output.rows || 24 }),
          markdown: (source: string) => markdown(source, { paint: context.paint, width: context.width() }),
        }
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
    why: (ref) => whyOf({ ...context, gateway: () => Promise.resolve(gateway) }, ref),
    clock: host.clock,
    letters: options.letters,
  })
  const live = () => (conversation ? liveText(conversation.state(), screen.heldText(), context) : null)
  let shown: { readonly text: string | null; readonly at: number } = { text: null, at: 0 }

  /** The counter of a call that is being written rises with every piece; the eye does not need each of them. */
  function drawLive(state: ChatState): void {
    const text = liveText(state, screen.heldText(), context)
    if (text === shown.text) return
    const now = performance.now()
    const grows = state.doing?.kind === 'calling' || screen.heldText() !== ''
    if (grows && text !== null && shown.text !== null && now - shown.at < drawMs) return
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
    ...(options.attachments ? { attachments: options.attachments } : {}),
    uuid: randomUUID,
    wait: host.wait,
    onChange,
    signal: over.signal,
  })
  const ticking = setInterval(() => {
    if (redraws && live() !== null) footer.draw()
  }, turnMs)

  function converse(): Promise<ConversationEnd> {
    const label = () => prompt.label(options.prompts === 'always' ? '> ' : '')
    const { history } = options
    const reader = footer.open({
      label,
      keeps: prompt.isKept,
      live,
      busy: screen.isMidLine,
      models: () => modelNames(gateway),
      ...(history ? { history } : {}),
    })
    return new Promise((resolve, reject) => {
      // Lines do not wait for each other, so that /exit works while a message waits for the gateway to come back.
      const take = (text: string) => {
        prompt.take(text).then((next) => (next === 'stay' ? footer.draw() : resolve(endOf[next])), reject)
        footer.draw()
      }
      let begun = ''
      reader.on('line', (typed) => {
        // A line that ends with a backslash goes on in the next.
        if (options.letters && typed.endsWith('\\')) {
          begun += `${typed.slice(0, -1)}\n`
          return footer.draw()
        }
        take(`${begun}${footer.whole(typed)}`)
        begun = ''
      })
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

const endOf = { leave: 'left', new: 'new' } as const

/** What goes on, behind the mark that turns: the end of what is being written, or what the run is at. */
function liveText(state: ChatState, held: string, { host, paint }: Context): string | null {
  const now = host.clock()
  const told = liveLine(state, now, paint)
  if (awaitedRetry(state) !== undefined) return told
  const [last = ''] = held.trimEnd().split('\n').slice(-1)
  if (told === null && last === '') return null
  return `${spinner(now)} ${last === '' ? told : paint('quiet', line(last.slice(-shownTail)))}`
}

const shownTail = 72
