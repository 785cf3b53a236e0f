/**
 * Owns the door of nodes: a WebSocket on which either side proves its key over the numbers of both before anything else
 * is said. A node has one connection; the newest counts, because only the holder of its key can have opened it. Refuses
 * whoever says nothing in time, says too much before it is known, or is no live node.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  type GatewayId,
  type GatewayToNodeFrame,
  largestNodeFrame,
  type NodeAdvert,
  NodeFrame,
  type NodeId,
  nodeLinkPath,
  nodeLinkText,
} from '@countersign/contract'
import { type BelievedNode, publicKeyOf, verifyText } from '@countersign/contract/node'
import { type WebSocket, WebSocketServer } from 'ws'
import type { RequestPlace } from '../server/request-place.ts'
import { createStrangers, refuseUpgrade } from '../server/strangers.ts'
import type { NodeLink, NodeWord } from './node-link.ts'

export interface NodeGateParts {
  readonly gateway: GatewayId
  /** Signs with the gateway's key. */
  readonly sign: (text: string) => string
  /** Also revoked ones, so that they are told. */
  readonly find: (node: NodeId) => Promise<BelievedNode | undefined>
  readonly clock: () => Date
  readonly onProblem: (problem: unknown) => void
  /** The node is known and has said what it can do. */
  readonly opened: (link: NodeLink, advert: NodeAdvert) => Promise<void>
  /** Whether somebody waited for it; what nobody asked for is counted. */
  readonly said: (link: NodeLink, word: NodeWord) => boolean
  readonly closed: (link: NodeLink) => void
  readonly limits?: Partial<Record<keyof typeof nodeGateLimits, number>>
}

export interface NodeUpgrade {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

export interface NodeGate {
  /** Whether this address is where nodes connect. */
  owns(url: string): boolean
  upgrade(upgrade: NodeUpgrade, place: RequestPlace, failed: (place: RequestPlace) => void): void
  /** Ends the connection of a node, at once. */
  drop(node: NodeId, reason: string): void
  close(): Promise<void>
}

export const nodeGateLimits = {
  /** For the proof, and once more until the node says what it can do. */
  proofMs: 5_000,
  /** What may come before the proof, with all that the WebSocket adds. */
  strangerBytes: 65_536,
  /** A node whose computer was cut off is noticed within two of these. */
  pingMs: 15_000,
  /** Frames that nobody asked the node for within a minute. */
  tellingPerMinute: 120,
  /** Connections of one node within a minute. */
  openedPerMinute: 30,
  /** What a node that does not read may leave waiting here. */
  longestQueue: 4 * largestNodeFrame,
} as const

interface Stranger {
  readonly web: WebSocket
  readonly place: RequestPlace
  readonly failed: (place: RequestPlace) => void
  /** It is counted as a stranger no more. */
  readonly known: () => void
}

export function createNodeGate(parts: NodeGateParts): NodeGate {
  const limits = { ...nodeGateLimits, ...parts.limits }
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: largestNodeFrame,
    perMessageDeflate: false,
  })
  const links = new Map<NodeId, { readonly link: NodeLink; readonly web: WebSocket }>()
  const strangers = createStrangers()
  const openings = new Map<NodeId, ReturnType<typeof createTelling>>()

  /** Only the holder of its key is counted, so nobody else can keep it out. */
  function mayOpen(node: NodeId): boolean {
    const known = openings.get(node) ?? createTelling(parts.clock, limits.openedPerMinute)
    openings.set(node, known)
    return known.may()
  }

  /** One frame after the other: what comes early waits. */
  async function introduce(stranger: Stranger): Promise<void> {
    const { web, place, failed, known } = stranger
    const inbox = createInbox(web)
    const late = setTimeout(() => refuse(web, 'no proof came in time'), limits.proofMs)
    const readyLate = { timer: undefined as NodeJS.Timeout | undefined }
    try {
      const node = await provenNode(web, inbox)
      if (typeof node === 'string') {
        failed(place)
        return refuse(web, node)
      }
      clearTimeout(late)
      known()
      if (!mayOpen(node.id)) return refuse(web, 'it connects too often')
      readyLate.timer = setTimeout(() => refuse(web, 'the node did not say what it can do'), limits.proofMs)
      post(web, { type: 'welcome' })
      const ready = frameOf(await inbox.next())
      if (ready?.type !== 'ready') return refuse(web, 'the node did not say what it can do')
      if (ready.advert.executor !== node.executor)
        return refuse(web, 'its executor is not the one that it was paired with')
      clearTimeout(readyLate.timer)
      await letIn(web, node, ready.advert, inbox)
    } finally {
      clearTimeout(late)
      clearTimeout(readyLate.timer)
      known()
    }
  }

  /** The node whose key was proven, or why it is none. */
  async function provenNode(web: WebSocket, inbox: Inbox): Promise<BelievedNode | string> {
    const hello = frameOf(await inbox.next())
    if (hello?.type !== 'hello') return 'the first frame must say which node it is'
    const gatewayNonce = randomBytes(24).toString('base64url')
    const nonces = { gateway: parts.gateway, node: hello.node, nodeNonce: hello.nonce, gatewayNonce }
    const proof = parts.sign(nodeLinkText('gateway', nonces))
    post(web, { type: 'challenge', nonce: gatewayNonce, gateway: parts.gateway, proof })
    const answer = frameOf(await inbox.next())
    if (answer?.type !== 'proof') return 'the second frame must prove the key of the node'
    const node = await parts.find(hello.node)
    if (!node || !verifyText(publicKeyOf(node.key), nodeLinkText('node', nonces), answer.signature))
      return 'this node is not paired, or its key does not match'
    return node.revokedAt === null ? node : 'this node was revoked'
  }

  async function letIn(web: WebSocket, node: BelievedNode, advert: NodeAdvert, inbox: Inbox): Promise<void> {
    drop(node.id, 'it connected again')
    if (web.readyState !== web.OPEN) return
    const link: NodeLink = {
      node: node.id,
      send: (frame) => post(web, frame),
      close: (reason) => hangUp(web, reason),
    }
    links.set(node.id, { link, web })
    const alive = watchLife(web, limits.pingMs)
    web.on('close', () => {
      alive.stop()
      if (links.get(node.id)?.web === web) links.delete(node.id)
      parts.closed(link)
    })
    // It may have been revoked between the proof and here, when nobody could have dropped it yet.
    const still = await parts.find(node.id)
    if (still?.revokedAt !== null) return drop(node.id, 'this node was revoked')
    // Meanwhile it may have gone away or connected again, and what is gone must not stand in the place of what is there.
    if (links.get(node.id)?.web !== web) return
    await parts.opened(link, advert)
    const telling = createTelling(parts.clock, limits.tellingPerMinute)
    for (;;) {
      const data = await inbox.next()
      if (data === undefined) return
      const word = frameOf(data)
      if (!word || word.type === 'hello' || word.type === 'proof' || word.type === 'ready')
        return hangUp(web, 'the frame was not understood')
      // What was dropped may still send until the other end has closed it too.
      const wasAsked = links.get(node.id)?.web === web && parts.said(link, word)
      if (!wasAsked && !telling.may()) return hangUp(web, 'it says too much of itself')
    }
  }

  function post(web: WebSocket, frame: GatewayToNodeFrame): ReturnType<NodeLink['send']> {
    if (web.readyState !== web.OPEN) return 'closed'
    const data = JSON.stringify(frame)
    if (Buffer.byteLength(data) > largestNodeFrame) return 'too large'
    if (web.bufferedAmount > limits.longestQueue) {
      hangUp(web, 'it reads too slowly')
      return 'closed'
    }
    web.send(data, { binary: false })
    return 'sent'
  }

  function refuse(web: WebSocket, reason: string): void {
    post(web, { type: 'refused', reason })
    hangUp(web, reason)
  }

  function drop(node: NodeId, reason: string): void {
    const found = links.get(node)
    if (!found) return
    links.delete(node)
    refuse(found.web, reason)
    parts.closed(found.link)
  }

  return {
    owns: (url) => URL.parse(url, 'http://gateway')?.pathname === nodeLinkPath,
    upgrade({ request, socket, head }, place, failed) {
      if (strangers.isFull(place.sender)) return refuseUpgrade(socket, '503 Service Unavailable')
      server.handleUpgrade(request, socket, head, (web) => {
        strangers.come(place.sender)
        const flood = watchFlood(socket, limits.strangerBytes, () => web.terminate())
        let counted = true
        const known = () => {
          if (!counted) return
          counted = false
          strangers.go(place.sender)
          flood.stop()
        }
        web.on('error', parts.onProblem)
        web.on('close', known)
        introduce({ web, place, failed, known }).catch((problem: unknown) => {
          parts.onProblem(problem)
          hangUp(web, 'the gateway could not do this')
        })
      })
    },
    drop,
    async close() {
      for (const web of server.clients) web.close(1001, 'the gateway stops')
      setTimeout(() => {
        for (const web of server.clients) web.terminate()
      }, 500).unref()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}

function hangUp(web: WebSocket, reason: string): void {
  web.close(1008, reason.slice(0, 100))
  setTimeout(() => web.terminate(), 1_000).unref()
}

function frameOf(data: Buffer | undefined): NodeFrame | undefined {
  if (!data) return undefined
  try {
    return NodeFrame.safeParse(JSON.parse(data.toString('utf8'))).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

interface Inbox {
  /** The next frame; nothing once the connection is closed. */
  next(): Promise<Buffer | undefined>
}

/** A node that sends faster than it is heard is not read from meanwhile. */
function createInbox(web: WebSocket): Inbox {
  const queue: Buffer[] = []
  let waiter: ((data: Buffer | undefined) => void) | undefined
  let isClosed = false
  web.on('message', (data: Buffer) => {
    if (waiter) {
      waiter(data)
      waiter = undefined
      return
    }
    queue.push(data)
    web.pause()
  })
  web.on('close', () => {
    isClosed = true
    waiter?.(undefined)
    waiter = undefined
  })
  return {
    next() {
      const first = queue.shift()
      if (first) {
        if (queue.length === 0) web.resume()
        return Promise.resolve(first)
      }
      if (isClosed) return Promise.resolve(undefined)
      return new Promise((resolve) => {
        waiter = resolve
      })
    },
  }
}

/** So much of a stranger, and no more. */
function watchFlood(line: Duplex, most: number, tooMuch: () => void): { stop(): void } {
  let seen = 0
  const count = (chunk: Buffer) => {
    seen += chunk.length
    if (seen > most) tooMuch()
  }
  line.on('data', count)
  return { stop: () => void line.off('data', count) }
}

/** A connection that was cut says nothing, so it is asked. */
function watchLife(web: WebSocket, everyMs: number): { stop(): void } {
  let answered = true
  const timer = setInterval(() => {
    if (!answered) return web.terminate()
    answered = false
    web.ping()
  }, everyMs)
  timer.unref()
  web.on('pong', () => {
    answered = true
  })
  return { stop: () => clearInterval(timer) }
}

/** So many within a minute. */
function createTelling(clock: () => Date, most: number): { may(): boolean } {
  let times: readonly number[] = []
  return {
    may() {
      const now = clock().getTime()
      times = [...times.filter((at) => Math.abs(now - at) < 60_000), now]
      return times.length <= most
    },
  }
}
