/**
 * Owns one connection to the gateway, from the first frame to the last. Either side proves its key over the numbers of
 * both before anything else is said. What comes out of turn, is of an unknown form or too large ends the connection.
 */
import {
  GatewayToNodeFrame,
  largestNodeFrame,
  type NodeAdvert,
  type NodeCapabilityState,
  type NodeFrame,
  type NodeLinkNonces,
  nodeLinkText,
  type Permit,
} from '@countersign/contract'
import { type KeyPair, publicKeyOf, signText, verifyText } from '@countersign/contract/node'
import type { LedgerWatch } from './ledger-watch.ts'
import type { NodeExecutor } from './node-executor.ts'
import type { Pairing } from './node-home.ts'
import type { StatementLog } from './statement-log.ts'

export interface NodeSessionParts {
  readonly pairing: Pick<Pairing, 'node' | 'gateway'>
  /** The gateway's, as the words bound it; raw, base64. */
  readonly gatewayKey: string
  readonly keys: KeyPair
  readonly executor: Pick<NodeExecutor, 'resolve' | 'execute' | 'setWorld'>
  readonly ledger: Pick<LedgerWatch, 'see' | 'complaint' | 'size'>
  readonly statements: StatementLog
  /** What it says of itself once it is let in; made before, so that nobody waits. */
  readonly advert: () => Omit<NodeAdvert, 'statements' | 'witnessed'>
  /** 128 bits or more, base64url. */
  readonly nonce: () => string
  readonly send: (text: string) => void
  /** Ends the connection. Nothing is taken after it. */
  readonly end: (reason: string) => void
  readonly opened: () => void
}

export interface NodeSession {
  start(): void
  receive(text: string): void
  /** What can be done has changed. */
  tell(capabilities: readonly NodeCapabilityState[]): void
  /** The connection is gone. Calls go on: their end is recorded, and told when they are asked for again. */
  close(): void
  /** Resolves when every call that came over this connection has ended. */
  settled(): Promise<void>
}

/** More wait their turn. */
const mostAtOnce = 8
/** Bytes of one frame that the gateway may fill; a permit is not larger than what its tools take. */
const mostPermits = 200

export function createNodeSession(parts: NodeSessionParts): NodeSession {
  const { pairing, keys, executor, ledger, statements } = parts
  const nodeNonce = parts.nonce()
  const stops = new Map<string, Set<AbortController>>()
  const underWay = new Set<Promise<void>>()
  const turn = createTurns(mostAtOnce)
  /** One thing of the ledger after the other. */
  let seeing: Promise<void> = Promise.resolve()
  /** Whom to believe, as far as it was sent; what comes after it waits for it. */
  let filing: Promise<void> = Promise.resolve()
  let filed = 0
  let state: 'greeting' | 'proven' | 'open' | 'closed' = 'greeting'

  function send(frame: NodeFrame): void {
    if (state === 'closed') return
    const text = JSON.stringify(frame)
    if (Buffer.byteLength(text) > largestNodeFrame) return end('an answer is too large to be sent')
    parts.send(text)
  }

  function end(reason: string): void {
    if (state === 'closed') return
    state = 'closed'
    parts.end(reason)
  }

  function track(work: Promise<void>): void {
    const noted = work
      .catch((error: unknown) => end(error instanceof Error ? error.message : String(error)))
      .finally(() => underWay.delete(noted))
    underWay.add(noted)
  }

  function challenged(frame: Extract<GatewayToNodeFrame, { type: 'challenge' }>): void {
    const nonces: NodeLinkNonces = {
      gateway: pairing.gateway,
      node: pairing.node,
      nodeNonce,
      gatewayNonce: frame.nonce,
    }
    const isOurs =
      frame.gateway === pairing.gateway &&
      verifyText(publicKeyOf(parts.gatewayKey), nodeLinkText('gateway', nonces), frame.proof)
    if (!isOurs) return end('it is not the gateway that this computer was paired with')
    state = 'proven'
    send({ type: 'proof', signature: signText(keys.privateKey, nodeLinkText('node', nonces)) })
  }

  function welcomed(): void {
    state = 'open'
    send({
      type: 'ready',
      // It is sent all of them, whatever it holds: a gateway may have lost some, or made some up.
      advert: { ...parts.advert(), statements: 0, witnessed: ledger.size() },
    })
    parts.opened()
    const complaint = ledger.complaint()
    if (complaint) send(complaint)
  }

  async function file(lines: readonly string[]): Promise<void> {
    const problem = await statements.append(lines)
    if (problem !== null) end(problem)
  }

  async function execute(id: number, index: number, permit: Permit): Promise<void> {
    const stop = new AbortController()
    const { nonce } = permit.subject
    const group = stops.get(nonce) ?? new Set()
    stops.set(nonce, group.add(stop))
    try {
      await filing
      const reply = await turn(() => executor.execute(permit, stop.signal))
      send({ type: 'executed', id, index, reply })
    } finally {
      group.delete(stop)
      if (group.size === 0) stops.delete(nonce)
    }
  }

  async function resolve(id: number, calls: readonly { tool: string; args: string }[]): Promise<void> {
    await filing
    const replies = await Promise.all(calls.map(({ tool, args }) => turn(() => executor.resolve(tool, args))))
    send({ type: 'resolved', id, replies })
  }

  async function see(frame: Extract<GatewayToNodeFrame, { type: 'checkpoint' }>): Promise<void> {
    const { note, from, proof } = frame
    // What is left of a connection that is gone would be shown again over the next one.
    if (state === 'closed') return
    send(await ledger.see({ note, from, proof }))
  }

  function takeOpen(frame: GatewayToNodeFrame): void {
    switch (frame.type) {
      case 'world':
        return executor.setWorld(frame)
      case 'statements':
        if (frame.from !== filed) return end(`the statements begin with number ${frame.from}, not ${filed}`)
        filed += frame.lines.length
        filing = filing.then(() => file(frame.lines))
        return track(filing)
      case 'resolve':
        return track(resolve(frame.id, frame.calls))
      case 'execute':
        if (frame.permits.length > mostPermits) return end('too many permits at once')
        for (const [index, permit] of frame.permits.entries()) track(execute(frame.id, index, permit))
        return
      case 'cancel':
        for (const nonce of frame.nonces) for (const stop of stops.get(nonce) ?? []) stop.abort()
        return
      case 'checkpoint':
        seeing = seeing.then(() => see(frame))
        return track(seeing)
      default:
        return end(`a ${frame.type} came out of turn`)
    }
  }

  return {
    start: () => send({ type: 'hello', node: pairing.node, nonce: nodeNonce }),
    receive(text) {
      if (state === 'closed') return
      const frame = frameIn(text)
      if (!frame) return end('a frame was not understood')
      if (frame.type === 'refused') return end(`the gateway refused: ${printable(frame.reason)}`)
      if (state === 'open') return takeOpen(frame)
      if (state === 'greeting' && frame.type === 'challenge') return challenged(frame)
      if (state === 'proven' && frame.type === 'welcome') return welcomed()
      return end(`a ${frame.type} came out of turn`)
    },
    tell(capabilities) {
      if (state === 'open') send({ type: 'capabilities', capabilities: [...capabilities] })
    },
    close() {
      state = 'closed'
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

function frameIn(text: string): GatewayToNodeFrame | undefined {
  if (Buffer.byteLength(text) > largestNodeFrame) return undefined
  try {
    return GatewayToNodeFrame.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Others wrote it, and a terminal shows it. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ')
}

function createTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let busy = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (busy >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else busy += 1
    try {
      return await work()
    } finally {
      // The place goes to the next one as it is.
      const next = waiting.shift()
      if (next) next()
      else busy -= 1
    }
  }
}
