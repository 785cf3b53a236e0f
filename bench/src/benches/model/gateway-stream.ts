/** A reply through the gateway, as a client on its WebSocket sees it. One reply at a time in each session. */
import { randomUUID } from 'node:crypto'
import type { SessionId } from '@countersign/contract'
import type { Signer } from '@countersign/contract/client'
import { WebSocket } from 'ws'
import { proveDevice } from '../../socket-client.ts'
import { type Ask, type Stream, timeOfDay } from './stream.ts'

export interface GatewayStreams {
  readonly ask: Ask
  /** Until the message was taken, for each reply so far. */
  readonly admittedMs: readonly number[]
  close(): void
}

interface Open {
  readonly words: string
  readonly beganAt: number
  firstMs: number
  characters: number
  readonly whole: PromiseWithResolvers<Stream>
}

/** Lane after lane is one session. */
export async function openGatewayStreams(
  url: string,
  signer: Signer,
  lanes: readonly SessionId[],
): Promise<GatewayStreams> {
  const socket = new WebSocket(new URL(`/v1/socket?nonce=${randomUUID()}`, url), { perMessageDeflate: false })
  await proveDevice(socket, signer)
  const bySession = new Map<string, Open>()
  const byKey = new Map<string, Open>()
  const admittedMs: number[] = []

  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as Frame
    if (frame.type === 'delta') {
      const open = bySession.get(frame.session)
      if (!open) return
      if (open.characters === 0) open.firstMs = timeOfDay() - open.beganAt
      open.characters += frame.text.length
    } else if (frame.type === 'event' && frame.event.body.type === 'run.ended') {
      const { session, reason, message } = frame.event.body
      const open = bySession.get(session)
      bySession.delete(session)
      if (reason !== 'completed') open?.whole.reject(new Error(`The run ended: ${reason}. ${message}`))
      else open?.whole.resolve({ ...open, totalMs: timeOfDay() - open.beganAt })
    } else if (frame.type === 'admitted') {
      const open = byKey.get(frame.key)
      byKey.delete(frame.key)
      if (open) admittedMs.push(timeOfDay() - open.beganAt)
    } else if (frame.type === 'refused') byKey.get(frame.key)?.whole.reject(new Error(frame.error.message))
  })

  return {
    admittedMs,
    ask(words, lane) {
      const session = lanes[lane % lanes.length]
      if (session === undefined) throw new Error('There is no session to ask in.')
      const key = randomUUID()
      const open: Open = {
        words,
        beganAt: timeOfDay(),
        firstMs: Number.NaN,
        characters: 0,
        whole: Promise.withResolvers<Stream>(),
      }
      bySession.set(session, open)
      byKey.set(key, open)
      socket.send(JSON.stringify({ type: 'message', key, session, text: words, mode: 'queue' }))
      return open.whole.promise
    },
    close: () => socket.close(1000),
  }
}

/** The frames that are read, taken on trust. */
type Frame =
  | { readonly type: 'delta'; readonly session: string; readonly text: string }
  | {
      readonly type: 'event'
      readonly event: {
        readonly body: {
          readonly type: string
          readonly session: string
          readonly reason: string
          readonly message: string
        }
      }
    }
  | { readonly type: 'admitted'; readonly key: string }
  | { readonly type: 'refused'; readonly key: string; readonly error: { readonly message: string } }
  | { readonly type: 'other' }
