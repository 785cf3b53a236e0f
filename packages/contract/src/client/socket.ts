/**
 * Owns one live connection: has the gateway prove itself, proves the device, then hands over every frame in order.
 * Reconnecting is the caller's.
 */
import type { Addressee, ConversationChoice, ModelChoice } from '../addressee.ts'
import { CountersignError } from '../errors.ts'
import type { InputMode } from '../events.ts'
import { type ClientFrame, type FollowLedgerFrame, ServerFrame } from '../frames.ts'
import type { SessionId } from '../ids.ts'
import { challengeText } from '../proof.ts'
import { helloText } from '../signed-texts.ts'
import { provableAddress, unproven } from './proof.ts'
import type { Signer } from './signer.ts'

export interface Connection {
  send(
    message: { key: string; session: SessionId | null; text: string; mode: InputMode } & Addressee &
      ModelChoice &
      ConversationChoice,
  ): void
  /** Null ends it. */
  followLedger(frame: FollowLedgerFrame | null): void
  close(): void
  /** Resolves with a plain reason when the connection has ended. */
  readonly ended: Promise<string>
}

export interface ConnectOptions {
  readonly url: string
  readonly signer: Signer
  readonly since: number | null
  readonly onFrame: (frame: ServerFrame) => void
  readonly WebSocket?: typeof WebSocket
}

/** Resolves once the gateway has welcomed the device. */
export function connect(options: ConnectOptions): Promise<Connection> {
  const Socket = options.WebSocket ?? WebSocket
  const address = provableAddress(options.url)
  const asked = options.signer.nonce()
  const query = new URLSearchParams({ nonce: asked, address })
  const socket = new Socket(new URL(`/v1/socket?${query.toString()}`, options.url.replace(/^http/, 'ws')))
  const post = (frame: ClientFrame) => socket.send(JSON.stringify(frame))

  return new Promise((resolve, reject) => {
    let proven = false
    let welcomed = false
    const ended = new Promise<string>((end) => {
      socket.addEventListener('close', (event) => {
        const reason = event.reason || `closed with code ${event.code}`
        end(reason)
        if (!welcomed)
          reject(
            new CountersignError('gateway_unreachable', `The connection to ${options.url} ended: ${reason}.`),
          )
      })
    })
    const connection: Connection = {
      send: (message) => post({ type: 'message', ...message }),
      followLedger: (frame) => post(frame ?? { type: 'unfollow_ledger' }),
      close: () => socket.close(1000),
      ended,
    }
    async function receive(data: unknown): Promise<void> {
      const frame = ServerFrame.parse(JSON.parse(String(data)))
      if (frame.type === 'challenge') {
        const { gateway, device } = options.signer
        const { nonce, proof } = frame
        // Before the device says who it is: a proof of it that is passed on would open the socket for somebody else.
        if (!(await options.signer.proves(challengeText({ gateway, address, asked, nonce }), proof)))
          throw unproven(options.url)
        proven = true
        const signature = await options.signer.sign(helloText({ nonce, gateway, device, address }))
        post({ type: 'hello', device, signature, since: options.since })
        return
      }
      if (!proven) throw unproven(options.url)
      if (frame.type === 'welcome') {
        welcomed = true
        resolve(connection)
      }
      if (frame.type === 'refused' && !welcomed) {
        reject(new CountersignError('not_authenticated', frame.error.message))
        socket.close(1000)
      }
      options.onFrame(frame)
    }
    socket.addEventListener('message', (event) => {
      receive(event.data).catch((error: unknown) => {
        reject(error instanceof Error ? error : new Error(String(error)))
        socket.close(1000)
      })
    })
  })
}
