/**
 * Owns the gateway's side of a channel in the tests: keeps what it took by its id, over restarts of the channel; it can
 * refuse to take, say nothing, and die.
 */
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { ChannelAdapter } from '../frame/adapter.ts'
import type { InboundEvent } from '../frame/events.ts'
import {
  type FetchResult,
  FromChannel,
  type OutboundMessage,
  type SendResult,
  type ToChannel,
  type WebAnswer,
  type WebRequest,
} from '../frame/protocol.ts'
import { serveChannel } from '../frame/serve.ts'

export type AnyAdapter = ChannelAdapter<Readonly<Record<string, unknown>>>

/** What becomes of an event that is handed over. `take-silently`: it is in the database, and the answer is lost. */
export type Verdict = 'take' | 'refuse' | 'hold' | 'take-silently'

export type Standing = Extract<FromChannel, { type: 'connected' | 'disconnected' | 'rejected' }>

export interface TestGateway {
  /** Each id once, in the order in which it was taken. */
  readonly taken: readonly InboundEvent[]
  /** Every handing-over. */
  readonly handed: readonly InboundEvent[]
  /** What the channel said about its connection since its last start. */
  readonly standings: readonly Standing[]
  /** What the channel said that is no shape of the frame, or that says something else under an id than before. */
  readonly nonsense: readonly string[]
  /** It runs. */
  readonly up: boolean
  readonly state: string | null
  /** For everything that is handed over from now on. */
  judge(verdict: (event: InboundEvent) => Verdict): void
  /** Judges once more what was held. */
  release(): void
  start(change?: { readonly secrets?: Readonly<Record<string, string>> }): void
  connected(): Promise<void>
  /** Resolves when the channel has closed everything. */
  stop(): Promise<void>
  /** As `stop`, but it says nothing and hears nothing any more. */
  die(): Promise<void>
  send(message: OutboundMessage): Promise<SendResult>
  edit(message: string, change: OutboundMessage): Promise<SendResult>
  fetch(ref: string, most: number): Promise<FetchResult>
  typing(chat: string, thread: string | null): void
  pressed(event: string, text: string): void
  request(request: WebRequest): Promise<WebAnswer>
}

export interface GatewayParts {
  readonly adapter: AnyAdapter
  readonly settings: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, string>>
  readonly patienceMs?: number
}

const usualPatienceMs = 20_000

/** One start of the channel. */
interface Run {
  tell(message: ToChannel): void
  lose(): void
  readonly ended: Promise<number>
  isDead: boolean
}

type Answer = Extract<FromChannel, { type: 'done' | 'fetched' | 'answered' }>

export function createTestGateway(parts: GatewayParts): TestGateway {
  const taken = new Map<string, InboundEvent>()
  const handed: InboundEvent[] = []
  const nonsense: string[] = []
  const waiting = new Map<number, (answer: Answer | undefined) => void>()
  let standings: Standing[] = []
  let held: (() => void)[] = []
  let verdict: (event: InboundEvent) => Verdict = () => 'take'
  let state: string | null = null
  let run: Run | undefined
  let next = 1

  function judgeOne(from: Run, n: number, event: InboundEvent): void {
    const before = taken.get(event.id)
    if (before && !isDeepStrictEqual(before, event))
      nonsense.push(`${event.id} changed when it was told again`)
    switch (verdict(event)) {
      case 'take':
        if (!before) taken.set(event.id, event)
        return from.tell({ type: 'taken', n })
      case 'take-silently':
        if (!before) taken.set(event.id, event)
        return
      case 'refuse':
        return from.tell({ type: 'not-taken', n })
      case 'hold':
        held.push(() => judgeOne(from, n, event))
    }
  }

  function hear(from: Run, message: FromChannel, start: ToChannel): void {
    switch (message.type) {
      case 'up':
        return from.tell(start)
      case 'connected':
      case 'disconnected':
      case 'rejected':
        standings.push(message)
        return
      case 'event':
        handed.push(message.event)
        return judgeOne(from, message.n, message.event)
      case 'keep':
        state = message.state
        return from.tell({ type: 'taken', n: message.n })
      case 'done':
      case 'fetched':
      case 'answered':
        waiting.get(message.n)?.(message)
        waiting.delete(message.n)
    }
  }

  function start({
    secrets = parts.secrets,
  }: {
    readonly secrets?: Readonly<Record<string, string>>
  } = {}): void {
    if (run) throw new Error('It is started already.')
    standings = []
    const ended = Promise.withResolvers<number>()
    let listener: (message: unknown) => void = () => undefined
    let lose: () => void = () => undefined
    const one: Run = {
      isDead: false,
      ended: ended.promise,
      lose: () => lose(),
      tell: (message) => {
        const copy = structuredClone(message)
        setImmediate(() => {
          if (!one.isDead) listener(copy)
        })
      },
    }
    run = one
    const begin: ToChannel = {
      type: 'start',
      settings: { ...parts.settings },
      secrets: { ...secrets },
      state,
    }
    serveChannel(parts.adapter, {
      send: (message) => {
        const copy: unknown = structuredClone(message)
        setImmediate(() => {
          if (one.isDead) return
          const read = FromChannel.safeParse(copy)
          if (read.success) hear(one, read.data, begin)
          else nonsense.push(`${message.type}: ${read.error.message}`)
        })
      },
      receive: (take) => {
        listener = take
      },
      lost: (take) => {
        lose = take
      },
      end: (code) => {
        one.isDead = true
        if (run === one) run = undefined
        for (const answer of waiting.values()) answer(undefined)
        waiting.clear()
        held = []
        ended.resolve(code)
      },
    })
  }

  async function ask(compose: (n: number) => ToChannel): Promise<Answer | undefined> {
    if (!run) return undefined
    const n = next
    next += 1
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>()
    waiting.set(n, resolve)
    run.tell(compose(n))
    return promise
  }

  async function sent(compose: (n: number) => ToChannel): Promise<SendResult> {
    const answer = await ask(compose)
    return answer?.type === 'done' ? answer.result : { kind: 'unknown', problem: 'The channel ended.' }
  }

  return {
    get taken() {
      return [...taken.values()]
    },
    handed,
    get standings() {
      return standings
    },
    nonsense,
    get up() {
      return run !== undefined
    },
    get state() {
      return state
    },
    judge: (by) => {
      verdict = by
    },
    release: () => {
      const all = held
      held = []
      for (const again of all) again()
    },
    start,
    connected: () =>
      until(
        'the channel to be connected',
        () => {
          const last = standings.at(-1)
          if (last?.type === 'rejected' || !run)
            throw new Error(`The channel is not there: ${JSON.stringify(last)}`)
          return last?.type === 'connected'
        },
        parts.patienceMs ?? usualPatienceMs,
      ),
    async stop() {
      run?.tell({ type: 'stop' })
      await run?.ended
    },
    async die() {
      const last = run
      if (!last) return
      last.isDead = true
      last.lose()
      await last.ended
    },
    send: (message) => sent((n) => ({ type: 'send', n, message })),
    edit: (message, change) => sent((n) => ({ type: 'edit', n, message, change })),
    async fetch(ref, most) {
      const answer = await ask((n) => ({ type: 'fetch', n, ref, most }))
      return answer?.type === 'fetched' ? answer.result : { kind: 'failed', problem: 'The channel ended.' }
    },
    typing: (chat, thread) => run?.tell({ type: 'typing', chat, thread }),
    pressed: (event, text) => run?.tell({ type: 'pressed', event, text }),
    async request(request) {
      const answer = await ask((n) => ({ type: 'request', n, request }))
      return answer?.type === 'answered'
        ? answer.answer
        : { status: 503, mediaType: 'text/plain', text: 'Nobody is here.' }
    },
  }
}

/** Waits for what comes; says for what it waited in vain. */
export async function until(what: string, isSo: () => boolean, patienceMs = usualPatienceMs): Promise<void> {
  const end = performance.now() + patienceMs
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`Waited in vain for ${what}.`)
    await pause(5)
  }
  await turn()
}
