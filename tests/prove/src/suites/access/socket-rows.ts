/** Tries the WebSocket: who may open it, and whose messages are admitted. */
import { helloText } from '@countersign/contract'
import { signText } from '@countersign/contract/node'
import { WebSocket } from 'ws'
import type { Holder } from '../../../../../packages/executor/src/testing/statements.ts'

export type SocketOutcome = 'no' | 'look' | 'speak'

export interface SocketCaller {
  readonly holder: Holder | null
  readonly headers?: Readonly<Record<string, string>>
  /** Signs the challenge for another gateway. */
  readonly elsewhere?: boolean
}

/** Opens a connection, proves itself as it can, sends a message, and says how far it got. */
export function trySocket(port: number, gateway: string, caller: SocketCaller): Promise<SocketOutcome> {
  return new Promise((resolve) => {
    const socket = new WebSocket(socketAddress(port), { headers: caller.headers ?? {} })
    let outcome: SocketOutcome = 'no'
    const end = () => {
      socket.terminate()
      resolve(outcome)
    }
    const say = (frame: object) => socket.send(JSON.stringify(frame))
    const message = () =>
      say({ type: 'message', key: crypto.randomUUID(), session: null, text: 'hello', mode: 'auto' })
    socket.on('error', end)
    socket.on('close', end)
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString('utf8')) as { type: string; nonce?: string }
      if (frame.type === 'challenge') {
        if (!caller.holder) return message()
        const { id, keys } = caller.holder
        const text = helloText({
          nonce: frame.nonce ?? '',
          gateway: caller.elsewhere ? 'gw_elsewhere' : gateway,
          device: id,
          address: `http://127.0.0.1:${port}`,
        })
        say({ type: 'hello', device: id, signature: signText(keys.privateKey, text), since: null })
      } else if (frame.type === 'welcome') {
        outcome = 'look'
        message()
      } else if (frame.type === 'admitted') {
        outcome = 'speak'
        end()
      } else if (frame.type === 'refused') end()
    })
  })
}

/** Where a socket is opened: with a nonce that the gateway has to sign, and the address that was dialled. */
export function socketAddress(port: number): string {
  const query = new URLSearchParams({ nonce: crypto.randomUUID(), address: `http://127.0.0.1:${port}` })
  return `ws://127.0.0.1:${port}/v1/socket?${query.toString()}`
}
