/**
 * Owns the process of one channel from the gateway's side: starts it, starts it again when it dies, and speaks with it.
 * What it says is read with the frame's shapes; anything else is dropped. It gets nothing of our environment, no file to
 * write and no program to start.
 */
import {
  encodeLine,
  FromChannel,
  type OutboundMessage,
  readMessages,
  type SendResult,
  type ToChannel,
  type WebAnswer,
  type WebRequest,
} from '@countersign/channels'
import type { ChannelState } from '@countersign/contract'
import type { ChannelChild } from './channel-child.ts'

export interface ChannelStart {
  readonly settings: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, string>>
  readonly state: string | null
}

export interface ChannelProcessOptions {
  readonly kind: string
  /** Starts it. */
  readonly open: () => ChannelChild
  /** Asked at every start. */
  readonly start: () => Promise<ChannelStart>
  /** Resolves when the event is in the database; what it rejects with is told as not taken. */
  readonly take: (event: Extract<FromChannel, { type: 'event' }>['event']) => Promise<void>
  readonly keep: (state: string) => Promise<void>
  /** It is connected, as this account: what waits may go. */
  readonly connected: (account: { readonly id: string; readonly name: string }) => void
  /** Told whenever it says how it stands. */
  readonly stands: (standing: ChannelStanding) => void
  /** Takes secrets out of what it complains of. */
  readonly redact: (text: string) => string
  readonly onProblem: (problem: unknown) => void
}

export interface ChannelStanding {
  readonly state: ChannelState
  readonly since: Date
  readonly problem: string | null
  readonly account: { readonly id: string; readonly name: string } | null
}

export interface ChannelProcess {
  standing(): ChannelStanding
  pid(): number | undefined
  /** Never rejects. A process that is gone before it answered leaves it unknown. */
  send(message: OutboundMessage): Promise<SendResult>
  edit(message: string, change: OutboundMessage): Promise<SendResult>
  typing(chat: string, thread: string | null): void
  pressed(event: string, text: string): void
  /** Undefined where it cannot be had. */
  fetch(ref: string, most: number): Promise<Uint8Array | undefined>
  /** Undefined where it cannot answer. */
  request(request: WebRequest): Promise<WebAnswer | undefined>
  close(): Promise<void>
}

const firstPauseMs = 500
const longestPauseMs = 60_000
/** A process that worked so long begins anew with short pauses. */
const calmMs = 60_000
const answerMs = 120_000
const endMs = 5_000
/** More than a channel has under way at once, however many people write. */
const mostUntaken = 256
/** A state is large, and one is kept after the other. */
const mostUnkept = 8
const mostAsked = 64
/** What it says that nobody knows, before it is started anew. */
const mostUnknown = 10
/** What waits for it to read, in bytes. */
const mostUnread = 128 * 1024 * 1024

type Waiting = (answer: FromChannel | undefined) => void

export function startChannelProcess(options: ChannelProcessOptions): ChannelProcess {
  let child: ChannelChild | undefined
  let standing: ChannelStanding = { state: 'connecting', since: new Date(), problem: null, account: null }
  let closing = false
  let failures = 0
  let next = 1
  let again: NodeJS.Timeout | undefined
  const waiting = new Map<number, Waiting>()
  let untaken = 0
  let unkept = 0
  let keeping: Promise<void> = Promise.resolve()

  function become(state: ChannelState, problem: string | null, account = standing.account): void {
    const said = problem === null ? null : options.redact(problem)
    standing = {
      state,
      since: state === standing.state ? standing.since : new Date(),
      problem: said,
      account,
    }
    options.stands(standing)
  }

  function tell(message: ToChannel): boolean {
    if (!child?.stdin.writable || child.stdin.writableLength > mostUnread) return false
    child.stdin.write(encodeLine(message))
    return true
  }

  async function launch(): Promise<void> {
    const begun = await options.start()
    if (closing) return
    const started = options.open()
    child = started
    untaken = 0
    unkept = 0
    const startedAt = Date.now()
    let unknown = 0
    // Whoever is gone is heard of by its end.
    started.stdin.on('error', () => undefined)
    const broken = (problem: Error) => {
      unknown += 1
      if (unknown === 1) options.onProblem(problem)
      if (unknown >= mostUnknown || started.stdout.destroyed) started.kill()
    }
    readMessages(started.stdout, {
      broken,
      message(message) {
        const read = FromChannel.safeParse(message)
        if (!read.success) {
          refuse(message)
          broken(new Error(`The channel ${options.kind} said what nobody knows.`))
        } else if (read.data.type === 'up') tell({ type: 'start', ...begun })
        else if (child === started) hear(read.data, broken)
      },
    })
    void started.ended.then(({ problem, final }) => {
      if (child !== started) return
      child = undefined
      for (const take of waiting.values()) take(undefined)
      waiting.clear()
      if (closing || standing.state === 'rejected') return
      if (final) return become('rejected', problem)
      become('disconnected', standing.problem ?? problem)
      if (Date.now() - startedAt > calmMs) failures = 0
      failures += 1
      again = setTimeout(begin, Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs))
    })
  }

  function begin(): void {
    launch().catch((error: unknown) => {
      options.onProblem(error)
      if (!closing) again = setTimeout(begin, longestPauseMs)
    })
  }

  function hear(message: Exclude<FromChannel, { type: 'up' }>, broken: (problem: Error) => void): void {
    switch (message.type) {
      case 'connected':
        become('connected', null, message.account)
        options.connected(message.account)
        return
      case 'disconnected':
      case 'rejected':
        become(message.type, message.problem)
        return
      case 'event':
        untaken += 1
        if (untaken > mostUntaken) return endHasty()
        return settle(
          message.n,
          options.take(message.event).finally(() => (untaken -= 1)),
        )
      case 'keep':
        unkept += 1
        if (unkept > mostUnkept) return endHasty()
        // One after the other, so that the last one stays.
        keeping = keeping.catch(() => undefined).then(() => options.keep(message.state))
        return settle(
          message.n,
          keeping.finally(() => (unkept -= 1)),
        )
      case 'done':
      case 'fetched':
      case 'answered': {
        const answered = waiting.get(message.n)
        if (!answered) return broken(new Error(`The channel ${options.kind} answers what nobody asked.`))
        waiting.delete(message.n)
        return answered(message)
      }
    }
  }

  function endHasty(): void {
    options.onProblem(new Error(`The channel ${options.kind} does not wait for what it gave.`))
    child?.kill()
  }

  function settle(n: number, work: Promise<void>): void {
    work.then(
      () => tell({ type: 'taken', n }),
      (problem: unknown) => {
        options.onProblem(problem)
        tell({ type: 'not-taken', n })
      },
    )
  }

  /** What cannot be read is not waited for by whoever gave it. */
  function refuse(message: unknown): void {
    if (typeof message !== 'object' || message === null || !('n' in message)) return
    if (typeof message.n === 'number' && Number.isInteger(message.n))
      tell({ type: 'not-taken', n: message.n })
  }

  /** Undefined where no answer came. */
  function asked(compose: (n: number) => ToChannel): Promise<FromChannel | 'not sent' | undefined> {
    const n = next
    next += 1
    if (waiting.size >= mostAsked || !tell(compose(n))) return Promise.resolve('not sent')
    const { promise, resolve } = Promise.withResolvers<FromChannel | undefined>()
    const timer = setTimeout(() => {
      waiting.delete(n)
      resolve(undefined)
    }, answerMs)
    waiting.set(n, (answer) => {
      clearTimeout(timer)
      resolve(answer)
    })
    return promise
  }

  async function sent(compose: (n: number) => ToChannel): Promise<SendResult> {
    if (standing.state !== 'connected') return notConnected
    const answer = await asked(compose)
    if (answer === 'not sent') return notConnected
    if (answer?.type === 'done') return redacted(answer.result)
    return { kind: 'unknown', problem: 'The channel ended, or said nothing, after it was given the message.' }
  }

  function redacted(result: SendResult): SendResult {
    return result.kind === 'sent' ? result : { ...result, problem: options.redact(result.problem) }
  }

  begin()
  return {
    standing: () => standing,
    pid: () => child?.pid,
    send: (message) => sent((n) => ({ type: 'send', n, message })),
    edit: (message, change) => sent((n) => ({ type: 'edit', n, message, change })),
    typing: (chat, thread) => void tell({ type: 'typing', chat, thread }),
    pressed: (event, text) => void tell({ type: 'pressed', event, text }),
    async fetch(ref, most) {
      const answer = await asked((n) => ({ type: 'fetch', n, ref, most }))
      if (answer === 'not sent' || answer?.type !== 'fetched' || answer.result.kind === 'failed')
        return undefined
      return answer.result.bytes.byteLength > most ? undefined : answer.result.bytes
    },
    async request(request) {
      const answer = await asked((n) => ({ type: 'request', n, request }))
      return answer !== 'not sent' && answer?.type === 'answered' ? answer.answer : undefined
    },
    async close() {
      closing = true
      clearTimeout(again)
      const last = child
      if (!last) return
      tell({ type: 'stop' })
      const timer = setTimeout(() => last.kill(), endMs)
      await last.ended
      clearTimeout(timer)
    },
  }
}

const notConnected = { kind: 'later', afterMs: null, problem: 'The channel is not connected.' } as const
