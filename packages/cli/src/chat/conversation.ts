/** Owns one conversation with a gateway: sends, follows, and keeps its state over restarts. Shows nothing by itself. */
import {
  type Addressee,
  type Attachment,
  type ConversationChoice,
  CountersignError,
  type ErrorCode,
  errorCatalogue,
  type InputMode,
  type ModelChoice,
  type ServerFrame,
  type SessionId,
  type TurnBound,
} from '@countersign/contract'
import type { Gateway } from '../connection.ts'
import { type EventFollower, follow, type OutgoingMessage } from '../follow.ts'
import {
  bound,
  type ChatOutput,
  type ChatState,
  emptyState,
  reduce,
  withLostConnection,
  withSentMessage,
  withSnapshot,
} from './state.ts'

/** What a message says besides its words and files. */
export type MessageChoices = Addressee &
  ModelChoice &
  ConversationChoice &
  TurnBound & { readonly metadata?: Record<string, string> }

export interface ConversationOptions {
  readonly gateway: Gateway
  readonly session: SessionId | null
  /** To whom it goes where it begins. */
  readonly to?: MessageChoices
  /** They go with the first message. */
  readonly attachments?: readonly Attachment[]
  readonly uuid: () => string
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Called after every change, with what is new to tell. */
  readonly onChange: (state: ChatState, shows: readonly ChatOutput[]) => void
  readonly signal: AbortSignal
}

export interface Conversation {
  state(): ChatState
  /** Resolves when the gateway has taken the message, however often the connection breaks meanwhile. */
  send(text: string, mode: InputMode): Promise<void>
  /** The model for the next message and those after it; null takes the choice back. */
  useModel(model: string | null): void
  /** What was chosen here and not sent yet; undefined where nothing was. */
  chosenModel(): string | null | undefined
  /** Resolves when the state is so; rejects when the conversation cannot go on. */
  until(isSo: (state: ChatState) => boolean): Promise<void>
}

interface UnsentMessage {
  readonly message: OutgoingMessage
  readonly taken: () => void
  readonly refused: (error: Error) => void
}

export async function openConversation(options: ConversationOptions): Promise<Conversation> {
  const { gateway, signal } = options
  const unsent = new Map<string, UnsentMessage>()
  const watchers = new Set<{
    isSo: (state: ChatState) => boolean
    met: () => void
    failed: (error: unknown) => void
  }>()
  const { model, ...to } = options.to ?? {}
  let chosen = model
  let attachments = options.attachments ?? []
  let failure: unknown
  let seen = 0
  let feed: EventFollower | undefined
  let state = emptyState(options.session, (await gateway.client.status()).paused !== null)

  function become(next: ChatState, shows: readonly ChatOutput[]): void {
    state = next
    options.onChange(state, shows)
    for (const watcher of watchers) {
      if (!watcher.isSo(state)) continue
      watchers.delete(watcher)
      watcher.met()
    }
  }

  function fail(error: unknown): void {
    failure = error
    for (const watcher of watchers) watcher.failed(error)
    watchers.clear()
    for (const message of unsent.values())
      message.refused(error instanceof Error ? error : new Error(String(error)))
    unsent.clear()
  }

  function onFrame(frame: ServerFrame): void {
    if (frame.type === 'admitted') return taken(frame.key, frame.session)
    if (frame.type === 'refused') return refused(frame.key, frame.error)
    const step = reduce(state, frame)
    if (frame.type === 'event') seen = frame.event.seq
    become(step.state, step.shows)
    if (frame.type === 'gap') refresh().catch(fail)
  }

  /** The first message opens the session; until it is admitted, those typed after it wait for the session's name. */
  function post(messages: Iterable<UnsentMessage>): void {
    for (const { message } of messages) {
      feed?.send({ ...message, session: state.session ?? message.session })
      if (state.session === null) return
    }
  }

  function taken(key: string, session: SessionId): void {
    const opened = state.session === null
    const step = bound(state, session)
    become(step.state, step.shows)
    const message = unsent.get(key)
    unsent.delete(key)
    // The gateway remembers it from now on.
    if (message !== undefined && message.message.model === chosen) chosen = undefined
    message?.taken()
    if (opened) post(unsent.values())
  }

  function refused(key: string | null, error: { type: string; message: string }): void {
    const code = error.type in errorCatalogue ? (error.type as ErrorCode) : 'internal'
    const message = unsent.get(key ?? '')
    unsent.delete(key ?? '')
    if (state.session === null) post(unsent.values())
    message?.refused(new CountersignError(code, error.message))
  }

  /** A snapshot that is older than an event already seen is taken again. */
  async function refresh(): Promise<void> {
    const { session } = state
    if (session === null) return
    for (;;) {
      const before = seen
      const [detail, approvals, questions] = await Promise.all([
        gateway.client.session(session),
        gateway.client.approvals({ state: 'pending' }),
        gateway.client.questions(),
      ])
      if (seen !== before) continue
      const snapshot = {
        runs: detail.runs,
        approvals: approvals.filter((approval) => approval.session === session),
        questions: questions.filter((question) => question.session === session && question.state === 'open'),
      }
      become(withSnapshot(state, snapshot), [])
      return
    }
  }

  feed = await follow({
    connect: gateway.connect,
    since: null,
    onFrame,
    onLost: () => become(withLostConnection(state), [{ kind: 'warning', text: 'Reconnecting…' }]),
    onAway: () =>
      become(state, [
        {
          kind: 'warning',
          text: 'The gateway does not answer. What you type is sent when it is back; this tries again every 2 s. Start it with `countersign up`.',
        },
      ]),
    onBack() {
      become(state, [{ kind: 'notice', text: 'Connected again.' }])
      // The key makes it harmless to send again what the gateway may already have.
      post(unsent.values())
    },
    wait: options.wait,
    signal,
  })
  feed.ended.catch(fail)
  await refresh()

  return {
    state: () => state,
    send(text, mode) {
      if (failure !== undefined) return Promise.reject(failure)
      const message: OutgoingMessage = {
        key: options.uuid(),
        session: state.session,
        text,
        ...(attachments.length === 0 ? {} : { attachments: [...attachments] }),
        mode,
        ...to,
        ...(chosen === undefined ? {} : { model: chosen }),
      }
      attachments = []
      become(withSentMessage(state, text), [])
      return new Promise((resolve, reject) => {
        const outgoing: UnsentMessage = { message, taken: resolve, refused: reject }
        const opening = state.session === null && unsent.size > 0
        unsent.set(message.key, outgoing)
        if (!opening) post([outgoing])
      })
    },
    useModel(next) {
      chosen = next
    },
    chosenModel: () => chosen,
    until(isSo) {
      if (isSo(state)) return Promise.resolve()
      if (failure !== undefined) return Promise.reject(failure)
      return new Promise((met, failed) => watchers.add({ isSo, met, failed }))
    },
  }
}
