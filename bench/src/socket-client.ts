/**
 * Owns a client that costs little, so that what is measured is the gateway: it reads only the frames it waits for, and
 * takes their shape on trust.
 */
import { randomUUID } from 'node:crypto'
import { addressOf, helloText, type SessionId } from '@countersign/contract'
import type { Signer } from '@countersign/contract/client'
import { WebSocket } from 'ws'

export interface EndedRun {
  readonly session: SessionId
  readonly run: string
  readonly reason: string
  readonly ms: number
}

export interface SocketClient {
  /** Sends a message and resolves when the run that answers it has ended. */
  converse(text: string, session: SessionId | null): Promise<EndedRun>
  close(): void
}

interface Open {
  readonly began: number
  readonly end: PromiseWithResolvers<EndedRun>
}

export async function openSocketClient(url: string, signer: Signer): Promise<SocketClient> {
  const socket = new WebSocket(new URL(`/v1/socket?nonce=${randomUUID()}`, url), { perMessageDeflate: false })
  await proveDevice(socket, signer)
  const byKey = new Map<string, Open>()
  const byInput = new Map<string, Open>()
  /** A run may end before the answer to its message is read. */
  const early = new Map<string, EndedBody>()

  function settle(open: Open, body: EndedBody): void {
    open.end.resolve({
      session: body.session,
      run: body.run,
      reason: body.reason,
      ms: performance.now() - open.began,
    })
  }

  socket.on('message', (data: Buffer) => {
    if (data.includes('"type":"run.ended"')) {
      const { body } = (JSON.parse(data.toString()) as { event: { body: EndedBody } }).event
      const open = byInput.get(body.input)
      if (open) settle(open, body)
      else early.set(body.input, body)
      byInput.delete(body.input)
    } else if (data.includes('{"type":"admitted"', 0)) {
      const { key, input } = JSON.parse(data.toString()) as { key: string; input: string }
      const open = byKey.get(key)
      byKey.delete(key)
      if (!open) return
      const body = early.get(input)
      if (body) settle(open, body)
      else byInput.set(input, open)
      early.delete(input)
    } else if (data.includes('{"type":"refused"', 0)) {
      const { key, error } = JSON.parse(data.toString()) as { key: string; error: { message: string } }
      byKey.get(key)?.end.reject(new Error(error.message))
    }
  })

  return {
    converse(text, session) {
      const key = randomUUID()
      const open = { began: performance.now(), end: Promise.withResolvers<EndedRun>() }
      byKey.set(key, open)
      socket.send(JSON.stringify({ type: 'message', key, session, text, mode: 'queue' }))
      return open.end.promise
    },
    close: () => socket.close(1000),
  }
}

/** Answers the challenge and resolves when the gateway has welcomed the device. */
export function proveDevice(socket: WebSocket, signer: Signer): Promise<void> {
  const address = addressOf(socket.url.replace(/^ws/, 'http')) ?? ''
  return new Promise((resolve, reject) => {
    const take = (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as { type: string; nonce: string; gateway: string }
      if (frame.type === 'challenge') {
        signer
          .sign(helloText({ nonce: frame.nonce, gateway: frame.gateway, device: signer.device, address }))
          .then(
            (signature) =>
              socket.send(JSON.stringify({ type: 'hello', device: signer.device, signature, since: null })),
            reject,
          )
      } else if (frame.type === 'welcome') {
        socket.off('message', take)
        resolve()
      } else reject(new Error(`The gateway answered ${data.toString()}`))
    }
    socket.on('message', take)
    socket.once('error', reject)
  })
}

interface EndedBody {
  readonly input: string
  readonly session: SessionId
  readonly run: string
  readonly reason: string
}
