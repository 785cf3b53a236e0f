/** Sends bytes over a connection of its own and reads until the other side has no more to say. */
import { Buffer } from 'node:buffer'
import { connect } from 'node:net'

export interface WireReply {
  /** The status of every answer that came. */
  readonly statuses: readonly number[]
  readonly text: string
  /** Nobody listened at all. */
  readonly refused: boolean
}

/** As long as the gateway waits for a client that says nothing more is too long for a trial. */
const patienceMs = 80

export function converse(port: number, frames: readonly Buffer[]): Promise<WireReply> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const pieces: Buffer[] = []
    let refused = false
    const end = () => {
      socket.destroy()
      const text = Buffer.concat(pieces).toString('latin1')
      resolve({
        statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, code]) => Number(code)),
        text,
        refused,
      })
    }
    socket.setTimeout(patienceMs, end)
    socket.on('error', (error: NodeJS.ErrnoException) => {
      refused = error.code === 'ECONNREFUSED'
    })
    socket.on('data', (piece) => pieces.push(piece))
    socket.on('close', end)
    socket.on('connect', () => {
      for (const frame of frames) socket.write(frame)
      socket.end()
    })
  })
}
