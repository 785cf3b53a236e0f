/**
 * Owns the line on which Slack tells what happens: asks for an address, listens there, and has a new line before an old
 * one is taken away. An envelope is answered for only when whoever takes it says so; Slack repeats the others.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { pauseAfter } from '../frame/take-in-turn.ts'
import { openTextSocket, type TextSocket } from '../frame/web-socket.ts'

export const Envelope = z.looseObject({
  type: z.string(),
  envelope_id: z.string(),
  payload: z.looseObject({}).optional(),
})
export type Envelope = z.infer<typeof Envelope>

const Said = z.looseObject({ type: z.string(), reason: z.string().optional() })

/** Where the next line is; otherwise why there is none. */
export type Dialed = { readonly url: string } | { readonly problem: string; readonly afterMs: number | null }

export interface SocketModeParts {
  readonly dial: () => Promise<Dialed>
  /** Resolves when it is taken. */
  readonly take: (envelope: Envelope) => Promise<void>
  /** `missed`: something may have happened while nothing was heard. */
  readonly connected: (missed: boolean) => void
  readonly disconnected: (problem: string) => void
  readonly signal: AbortSignal
}

const firstPauseMs = 250
const longestPauseMs = 60_000
/** A line that worked so long was a good one. */
const calmMs = 10_000
const helloMs = 20_000
const pulseMs = 15_000
const largestMessage = 8_000_000

export interface SocketMode {
  /** Resolves when the signal ended it. */
  readonly ended: Promise<void>
  /** Dials again, for this reason. */
  renew(reason: string): void
}

export function startSocketMode(parts: SocketModeParts, first: Dialed): SocketMode {
  const lines = createLines(parts)
  parts.signal.addEventListener('abort', () => lines.end(''), { once: true })
  return { ended: run(parts, lines, first), renew: lines.end }
}

async function run(parts: SocketModeParts, lines: Lines, first: Dialed): Promise<void> {
  const { signal } = parts
  let dialed = first
  let failures = 0
  while (!signal.aborted) {
    const begun = Date.now()
    if ('url' in dialed) await lines.listen(dialed.url)
    else lines.lost(dialed.problem)
    failures = Date.now() - begun > calmMs ? 0 : failures + 1
    const asked = 'url' in dialed ? null : dialed.afterMs
    if (failures > 0 || asked !== null)
      await pause(asked ?? pauseAfter(failures - 1, firstPauseMs, longestPauseMs), undefined, {
        signal,
      }).catch(() => undefined)
    if (!signal.aborted) dialed = await parts.dial()
  }
}

interface Lines {
  /** Resolves when another line is needed. */
  listen(url: string): Promise<void>
  /** Says so, unless a line still works. */
  lost(problem: string): void
  /** Every line, for this reason. */
  end(reason: string): void
}

function createLines(parts: SocketModeParts): Lines {
  const open = new Set<TextSocket>()
  /** Those that work, of which the last one counts. */
  const greeted = new Set<TextSocket>()
  let missed = true
  let why = ''

  function lost(problem: string): void {
    if (greeted.size > 0) return
    missed = true
    if (!parts.signal.aborted) parts.disconnected(problem)
  }

  function greet(line: TextSocket): void {
    for (const old of greeted) retire(old)
    greeted.add(line)
    parts.connected(missed)
    missed = false
    why = ''
  }

  /** What was begun on it may still be answered for; then it goes. */
  function retire(old: TextSocket): void {
    greeted.delete(old)
    setTimeout(() => old.end(), pulseMs).unref()
  }

  return {
    lost,
    async listen(url) {
      const { line, needsAnother } = openLine(url, parts.take, {
        greeted: () => greet(line),
        ended(problem) {
          open.delete(line)
          greeted.delete(line)
          lost(why || problem)
        },
      })
      open.add(line)
      await needsAnother
    },
    end(forThis) {
      why = forThis
      for (const line of open) line.end()
    },
  }
}

interface LineEvents {
  greeted(): void
  ended(problem: string): void
}

function openLine(
  url: string,
  take: SocketModeParts['take'],
  events: LineEvents,
): { readonly line: TextSocket; readonly needsAnother: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  let reason = ''
  const line = openTextSocket({
    url,
    most: largestMessage,
    pulseMs,
    said(text) {
      const said = parse(text)
      if (said?.type === 'hello') {
        clearTimeout(patience)
        events.greeted()
      } else if (said?.type === 'disconnect') {
        reason = `Slack ended the connection: ${said.reason ?? 'no reason'}.`
        if (said.reason === 'link_disabled') line.end()
        else resolve()
      } else if (said) answer(line, said, take)
    },
    ended(problem) {
      clearTimeout(patience)
      events.ended(reason || problem)
      resolve()
    },
  })
  const patience = setTimeout(() => line.end(), helloMs)
  return { line, needsAnother: promise }
}

function answer(line: TextSocket, said: unknown, take: SocketModeParts['take']): void {
  const envelope = Envelope.safeParse(said)
  if (!envelope.success) return
  const { envelope_id } = envelope.data
  take(envelope.data).then(
    () => line.send(JSON.stringify({ envelope_id })),
    // It was not taken: Slack sends it again.
    () => undefined,
  )
}

function parse(text: string): z.infer<typeof Said> | undefined {
  try {
    return Said.safeParse(JSON.parse(text)).data
  } catch {
    // Not JSON: nothing that Slack says.
    return undefined
  }
}
