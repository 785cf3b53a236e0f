/**
 * Owns the WebSocket. The first frame proves the gateway, the next one a device; then events flow in order, from where
 * the client left off. A client that does not read is closed: it comes back with `since` and misses nothing.
 */

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Address } from '@countersign/assistant'
import {
  ClientFrame,
  CountersignError,
  type DeviceId,
  type FollowLedgerFrame,
  type GatewayEvent,
  isNonce,
  type ServerFrame,
} from '@countersign/contract'
import type { Kernel } from '@countersign/kernel'
import type { LedgerViews } from '@countersign/views'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Hello, RequestAuthenticator } from './auth.ts'
import { chosenModel } from './chosen-model.ts'
import { errorReply } from './failures.ts'
import { createLedgerFollower, type LedgerFollower } from './ledger-follower.ts'
import type { Lockout } from './lockout.ts'
import type { Prover } from './proof.ts'
import type { ReceivedRequest, RequestPlace } from './request-place.ts'
import type { RequestSender } from './request-sender.ts'
import { createStrangers, refuseUpgrade } from './strangers.ts'

export interface SocketOptions {
  readonly kernel: Kernel
  readonly authenticator: RequestAuthenticator
  readonly prover: Prover
  readonly lockout: Pick<Lockout, 'failed'>
  readonly onProblem: (error: unknown) => void
  readonly address: Address
  readonly ledger: Pick<LedgerViews, 'page'>
}

/** What a client asks to be proven before it says who it is. */
interface SocketChallenge {
  readonly nonce: string
  readonly address: string
}

export interface Sockets {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  count(): number
  countOf(device: DeviceId): number
  /** Ends every connection of a device, at once. */
  drop(device: DeviceId): void
  close(): Promise<void>
}

const firstFrameMs = 5_000
const firstFrameBytes = 16_384
const largestFrame = 262_144
const longestQueueBytes = 1_048_576
const longestReplay = 10_000

export function createSockets(options: SocketOptions): Sockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: largestFrame, perMessageDeflate: false })
  const members = new Map<WebSocket, DeviceId>()
  const lines = new WeakMap<WebSocket, Duplex>()
  const followers = new WeakMap<WebSocket, LedgerFollower>()
  const strangers = createStrangers()
  const wireForm = createWireForm()

  function welcomeStranger(socket: WebSocket, asked: SocketChallenge, place: RequestPlace): void {
    const nonce = randomBytes(24).toString('base64url')
    strangers.come(place.sender)
    let known = false
    const settle = () => {
      if (known) return
      known = true
      strangers.go(place.sender)
      clearTimeout(timer)
    }
    const timer = setTimeout(() => socket.close(1008, 'no proof was sent in time'), firstFrameMs)
    socket.on('close', settle)
    socket.on('error', options.onProblem)
    socket.once('message', (data: Buffer) => {
      settle()
      introduce(socket, { ...asked, nonce }, data).catch((error: unknown) => {
        const failure =
          error instanceof CountersignError
            ? error
            : new CountersignError('not_authenticated', 'The first frame was not understood.')
        if (!(error instanceof CountersignError)) options.onProblem(error)
        if (failure.code === 'not_authenticated') options.lockout.failed(place)
        send(socket, {
          type: 'refused',
          key: null,
          error: options.kernel.redactor.json(errorReply(failure).error),
        })
        socket.close(1008, 'not authenticated')
      })
    })
    const proof = options.prover.challenge({ ...asked, asked: asked.nonce, nonce })
    send(socket, { type: 'challenge', nonce, gateway: options.kernel.gateway, version: 1, proof })
  }

  async function introduce(
    socket: WebSocket,
    challenge: Omit<Hello, 'signature'>,
    data: Buffer,
  ): Promise<void> {
    if (data.length > firstFrameBytes)
      throw new CountersignError('not_authenticated', 'The first frame is too long.')
    const frame = ClientFrame.parse(JSON.parse(data.toString('utf8')))
    if (frame.type !== 'hello')
      throw new CountersignError('not_authenticated', 'The first frame must prove a device.')
    const speaker = await options.authenticator.helloFrom(frame.device, {
      ...challenge,
      signature: frame.signature,
    })
    members.set(socket, frame.device)
    socket.on('close', () => members.delete(socket))
    // It may have been revoked or limited between the proof and here, when nobody could have dropped it yet.
    const still = await options.kernel.devices.lookUp(frame.device)
    if (still?.reach !== speaker.reach)
      throw new CountersignError('not_authenticated', 'The access of this device was changed.')
    socket.on('message', (later: Buffer) => {
      take(socket, speaker, later).catch(options.onProblem)
    })
    await follow(socket, speaker, frame.since)
  }

  /** Listens first and then looks back, so that nothing falls between. */
  async function follow(socket: WebSocket, speaker: RequestSender, since: number | null): Promise<void> {
    const early: GatewayEvent[] = []
    let live = false
    const { after, stop } = await options.kernel.stream.listen(speaker.operator, {
      events: (events) => (live ? sendEvents(socket, events) : early.push(...events)),
      delta: (delta) => live && send(socket, { type: 'delta', ...delta }),
      ledger: () => followers.get(socket)?.wake(),
    })
    socket.on('close', stop)
    socket.on('close', () => followers.get(socket)?.stop())
    const head = await options.kernel.stream.head(speaker.operator)
    if (socket.readyState !== socket.OPEN) return stop()
    send(socket, { type: 'welcome', seq: since ?? after, operator: speaker.operator, head })
    await replay(socket, speaker, since ?? after, after)
    sendEvents(socket, early)
    live = true
  }

  async function replay(
    socket: WebSocket,
    speaker: RequestSender,
    since: number,
    upTo: number,
  ): Promise<void> {
    const isWhole = since >= upTo || since >= (await options.kernel.stream.removedTo(speaker.operator))
    if (!isWhole || upTo - since > longestReplay) {
      send(socket, { type: 'gap', seq: upTo, skipped: upTo - since })
      return
    }
    for (let at = since; at < upTo; ) {
      const events = await options.kernel.stream.since(speaker.operator, at, Math.min(500, upTo - at))
      if (events.length === 0) return
      sendEvents(socket, events)
      at = events.at(-1)?.seq ?? upTo
    }
  }

  async function take(socket: WebSocket, speaker: RequestSender, data: Buffer): Promise<void> {
    // A connection that was dropped may still send until the other end has closed it too.
    if (!members.has(socket)) return
    let key: string | null = null
    try {
      const frame = ClientFrame.parse(JSON.parse(data.toString('utf8')))
      if (frame.type === 'follow_ledger') return followLedger(socket, speaker, frame)
      if (frame.type === 'unfollow_ledger') return followers.get(socket)?.stop()
      if (frame.type !== 'message') throw new CountersignError('usage', 'The connection is already open.')
      key = frame.key
      if (speaker.reach === 0)
        throw new CountersignError('step_up_needed', `${speaker.actor.id} may only look.`, {
          next: 'Use another device, or raise the access of this one on the Devices screen.',
        })
      const requester = { kind: 'operator' as const, id: speaker.actor.id }
      const { text, attachments, metadata, mode, session, turns } = frame
      const content = { session, text, attachments, metadata, mode, turns }
      const to = await options.address(frame)
      const message = { key, ...content, ...to, ...chosenModel(speaker, frame), requester }
      const admitted = await options.kernel.admit(speaker.operator, message)
      send(socket, {
        type: 'admitted',
        key,
        input: admitted.input,
        session: admitted.session,
        run: admitted.run,
      })
    } catch (error) {
      const failure =
        error instanceof CountersignError
          ? error
          : new CountersignError('usage', 'The frame was not understood.')
      if (!(error instanceof CountersignError)) options.onProblem(error)
      send(socket, { type: 'refused', key, error: options.kernel.redactor.json(errorReply(failure).error) })
    }
  }

  /** Whoever may look reads the ledger, as over HTTP. */
  function followLedger(socket: WebSocket, { operator }: RequestSender, frame: FollowLedgerFrame): void {
    followers.get(socket)?.stop()
    const follower = createLedgerFollower(frame, {
      page: (ask) => options.ledger.page(operator, ask, frame.language),
      send: (entries) => taken(socket, JSON.stringify(entries)),
      fail(error) {
        if (!(error instanceof CountersignError)) {
          options.onProblem(error)
          return socket.close(1011, 'the ledger cannot be read; reconnect')
        }
        const told = options.kernel.redactor.json(errorReply(error).error)
        send(socket, { type: 'refused', key: frame.id, error: told })
      },
    })
    followers.set(socket, follower)
    follower.wake()
  }

  /** Never resolves where the connection was dropped: nothing more is read for it. */
  function taken(socket: WebSocket, data: string): Promise<void> {
    return new Promise((resolve) => {
      if (!members.has(socket) || socket.readyState !== socket.OPEN) return
      socket.send(data, { binary: false }, (error) => {
        if (!error) resolve()
      })
    })
  }

  /** Events that come together leave together, in one write. */
  function sendEvents(socket: WebSocket, events: readonly GatewayEvent[]): void {
    const line = lines.get(socket)
    line?.cork()
    for (const event of events) push(socket, wireForm(event))
    line?.uncork()
  }

  function push(socket: WebSocket, data: string | Buffer): void {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > longestQueueBytes) {
      socket.close(1013, 'reads too slowly; reconnect with since')
      setTimeout(() => socket.terminate(), 1_000).unref()
      return
    }
    socket.send(data, { binary: false })
  }

  function send(socket: WebSocket, frame: ServerFrame): void {
    push(socket, JSON.stringify(frame))
  }

  return {
    upgrade(request, socket, head) {
      // Whoever hangs up in the middle of this would otherwise end the process: nobody else listens here yet.
      socket.on('error', options.onProblem)
      const asked = URL.parse(request.url ?? '/', 'http://gateway')
      const place = options.authenticator.placeOf(received(request))
      if (asked?.pathname !== '/v1/socket' || place === undefined)
        return refuseUpgrade(socket, '403 Forbidden')
      const nonce = asked.searchParams.get('nonce') ?? ''
      if (!isNonce(nonce)) return refuseUpgrade(socket, '400 Bad Request')
      const address = options.prover.addressFor(asked.searchParams.get('address') ?? undefined)
      if (strangers.isFull(place.sender)) return refuseUpgrade(socket, '503 Service Unavailable')
      server.handleUpgrade(request, socket, head, (opened) => {
        lines.set(opened, socket)
        welcomeStranger(opened, { nonce, address }, place)
      })
    },
    count: () => members.size,
    countOf: (device) => [...members.values()].filter((owner) => owner === device).length,
    drop(device) {
      for (const [socket, owner] of members) {
        if (owner !== device) continue
        members.delete(socket)
        socket.close(1008, 'device revoked')
        setTimeout(() => socket.terminate(), 1_000).unref()
      }
    },
    async close() {
      for (const socket of server.clients) socket.close(1001, 'the gateway stops')
      setTimeout(() => {
        for (const socket of server.clients) socket.terminate()
      }, 500).unref()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}

export function received({ headers, socket }: IncomingMessage): ReceivedRequest {
  return { headers, peer: socket.remoteAddress }
}

/** One event goes to many clients as the same bytes. */
function createWireForm(): (event: GatewayEvent) => Buffer {
  const forms = new WeakMap<GatewayEvent, Buffer>()
  return (event) => {
    const known = forms.get(event)
    if (known) return known
    const form = Buffer.from(JSON.stringify({ type: 'event', event } satisfies ServerFrame))
    forms.set(event, form)
    return form
  }
}
