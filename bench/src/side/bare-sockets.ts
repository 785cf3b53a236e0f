/** A plain WebSocket server that sends the bytes it is given to everybody who listens. */
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { answerParent } from '../side-process.ts'

export type SocketsQuestion =
  | { readonly kind: 'open' }
  | { readonly kind: 'broadcast'; readonly frames: readonly string[] }

/** The address, when asked to open. */
export type SocketsAnswer = string

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
const listening = new Promise<void>((resolve) => server.once('listening', resolve))

answerParent<SocketsQuestion, SocketsAnswer>(async (question) => {
  await listening
  if (question.kind === 'broadcast') {
    for (const frame of question.frames) {
      const bytes = Buffer.from(frame)
      for (const client of server.clients) client.send(bytes, { binary: false })
    }
  }
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
})
