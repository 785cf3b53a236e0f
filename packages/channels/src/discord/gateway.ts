/**
 * Owns the line on which Discord tells what happens: says who we are or where to go on, keeps the line alive, and opens
 * another when it ends. What a session told is numbered, so that a new line goes on where the old one ended.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { pauseAfter } from '../frame/take-in-turn.ts'
import { openTextSocket } from '../frame/web-socket.ts'

export interface GatewaySession {
  readonly id: string
  /** Where it is resumed. */
  readonly url: string
  /** The number of the last thing it told. */
  readonly seq: number
}

export type Located = { readonly url: string } | { readonly problem: string; readonly afterMs: number | null }

export interface GatewayParts {
  readonly token: string
  readonly locate: () => Promise<Located>
  readonly isTheirs: (url: string) => boolean
  /** A session begins, and what was told before it is not told again. */
  readonly began: (session: GatewaySession) => void
  readonly resumed: () => void
  readonly told: (type: string, data: unknown, seq: number) => void
  readonly disconnected: (problem: string) => void
  readonly signal: AbortSignal
}

const Payload = z.looseObject({
  op: z.int(),
  d: z.unknown().optional(),
  s: z.int().nullish(),
  t: z.string().nullish(),
})
const Hello = z.looseObject({ heartbeat_interval: z.number().min(10).max(600_000) })
const Ready = z.looseObject({
  session_id: z.string().min(1).max(200),
  resume_gateway_url: z.string().max(500),
})

const ops = { event: 0, heartbeat: 1, identify: 2, resume: 6, reconnect: 7, invalid: 9, hello: 10, ack: 11 }
/** Messages in servers and in private. Words that do not mention us are not asked for. */
const intents = (1 << 9) | (1 << 12)
/** Discord keeps a session whose line ended with neither 1000 nor 1001. */
const keepSession = 4_900
/** A new session is needed after these. */
const sessionEnds = new Set([4_003, 4_007, 4_009])
const personMustActMs = 60_000
/** Discord wants a moment before a session is asked for anew. */
const anewMs = 1_000
const firstPauseMs = 250
const longestPauseMs = 60_000
const usualBeatMs = 41_250
const calmMs = 10_000
/** Where a session was may be gone; then it is asked for where sessions begin. */
const mostResumes = 5
const pulseMs = 60_000
const largestMessage = 16_000_000

/** What a person must change; undefined for other codes. */
function fatal(code: number): string | undefined {
  switch (code) {
    case 4_004:
      return 'Discord does not accept the token.'
    case 4_010:
    case 4_011:
      return 'Discord wants this bot to be divided, which is not done here.'
    case 4_012:
    case 4_013:
    case 4_014:
      return 'Discord does not allow this bot what it asks for.'
    default:
      return undefined
  }
}

export interface Gateway {
  /** Resolves when the signal ended it. */
  readonly ended: Promise<void>
  /** Asks anew where it is, for this reason, and opens another line there. */
  renew(reason: string): void
}

export function startGateway(parts: GatewayParts, first: Located, before: GatewaySession | null): Gateway {
  let endLine: (() => void) | undefined
  let why = ''

  async function run(): Promise<void> {
    const { signal } = parts
    let session = before
    let located = first
    let failures = 0
    while (!signal.aborted) {
      const begun = Date.now()
      let end: LineEnd
      if ('url' in located) {
        const isThere = session && failures < mostResumes && isLine(session.url, parts)
        const url = isThere && session ? session.url : located.url
        end = await listen(url, session, parts, (ending) => {
          endLine = ending
        })
      } else end = { session, isResumed: false, problem: located.problem, waitMs: located.afterMs }
      session = end.session
      if (signal.aborted) return
      parts.disconnected(why || end.problem)
      failures = end.isResumed || Date.now() - begun > calmMs ? 1 : failures + 1
      const waitMs = end.waitMs ?? pauseAfter(failures - 1, firstPauseMs, longestPauseMs)
      await pause(waitMs, undefined, { signal }).catch(() => undefined)
      if (!signal.aborted && (why !== '' || !session || !('url' in located))) located = await parts.locate()
      why = ''
    }
  }

  return {
    ended: run(),
    renew(reason) {
      why = reason
      endLine?.()
    },
  }
}

const isLine = (url: string, { isTheirs }: GatewayParts): boolean => isTheirs(url.replace(/^ws/, 'http'))

interface LineEnd {
  readonly session: GatewaySession | null
  /** The session went on. A new one may be asked for only so many times a day. */
  readonly isResumed: boolean
  readonly problem: string
  readonly waitMs: number | null
}

function listen(
  url: string,
  before: GatewaySession | null,
  parts: GatewayParts,
  begun: (end: () => void) => void,
): Promise<LineEnd> {
  const { promise, resolve } = Promise.withResolvers<LineEnd>()
  const end = () => line.end(keepSession)
  const talk = createTalk(before, parts, { say: (text) => line.send(text), end })
  const line = openTextSocket({
    url: `${url.replace(/\/$/, '')}/?v=10&encoding=json`,
    most: largestMessage,
    pulseMs,
    said: talk.hear,
    ended(problem, code) {
      parts.signal.removeEventListener('abort', end)
      const { session, isResumed, waitMs } = talk.stop()
      const mustChange = fatal(code)
      resolve({
        session: mustChange !== undefined || sessionEnds.has(code) ? null : session,
        isResumed,
        problem: mustChange ?? problem,
        waitMs: mustChange === undefined ? waitMs : personMustActMs,
      })
    },
  })
  parts.signal.addEventListener('abort', end, { once: true })
  begun(end)
  return promise
}

interface Talk {
  hear(text: string): void
  stop(): Omit<LineEnd, 'problem'>
}

/** What is said on one line, by Discord and by us. */
function createTalk(
  before: GatewaySession | null,
  parts: GatewayParts,
  line: { readonly say: (text: string) => void; readonly end: () => void },
): Talk {
  let session = before
  let isResumed = false
  let waitMs: number | null = null
  const say = (op: number, d: unknown) => line.say(JSON.stringify({ op, d }))
  const heart = createHeart(() => say(ops.heartbeat, session?.seq ?? null), line.end)

  function greet(hello: unknown): void {
    heart.start(Hello.safeParse(hello).data?.heartbeat_interval ?? usualBeatMs)
    const { token } = parts
    if (session) say(ops.resume, { token, session_id: session.id, seq: session.seq })
    else say(ops.identify, { token, intents, properties: us })
  }

  function dispatch(type: string, data: unknown, seq: number): void {
    if (type === 'READY') {
      const { data: ready } = Ready.safeParse(data)
      if (!ready) return line.end()
      session = { id: ready.session_id, url: ready.resume_gateway_url, seq }
      return parts.began(session)
    }
    if (session) session = { ...session, seq: Math.max(seq, session.seq) }
    if (type !== 'RESUMED') return parts.told(type, data, seq)
    isResumed = true
    parts.resumed()
  }

  return {
    hear(text) {
      const { op, d, s, t } = parse(text)
      if (op === ops.hello) greet(d)
      else if (op === ops.event) dispatch(t ?? '', d, s ?? 0)
      else if (op === ops.heartbeat) heart.beat()
      else if (op === ops.ack) heart.answered()
      else if (op === ops.reconnect) line.end()
      else if (op === ops.invalid) {
        if (d !== true) session = null
        waitMs = anewMs + Math.random() * anewMs
        line.end()
      }
    },
    stop() {
      heart.stop()
      return { session, isResumed, waitMs }
    },
  }
}

const us = { os: 'linux', browser: 'countersign', device: 'countersign' }

interface Heart {
  start(everyMs: number): void
  beat(): void
  answered(): void
  stop(): void
}

/** A line that does not answer a beat before the next one is dead. */
function createHeart(beat: () => void, end: () => void): Heart {
  let timer: NodeJS.Timeout | undefined
  let isAnswered = true
  return {
    start(everyMs) {
      clearTimeout(timer)
      const next = () => {
        if (!isAnswered) return end()
        isAnswered = false
        beat()
        timer = setTimeout(next, everyMs)
      }
      // Not all bots of the world at the same time.
      timer = setTimeout(next, everyMs * Math.random())
    },
    beat,
    answered() {
      isAnswered = true
    },
    stop: () => clearTimeout(timer),
  }
}

/** Nothing where it is nothing that Discord says. */
function parse(text: string): Partial<z.infer<typeof Payload>> {
  try {
    return Payload.safeParse(JSON.parse(text)).data ?? {}
  } catch {
    // Not JSON.
    return {}
  }
}
