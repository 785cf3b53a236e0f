/** Owns who has opened a connection and has not said yet who it is: a bounded number, and of each sender fewer. */
import type { Duplex } from 'node:stream'
import { thisComputer } from './request-place.ts'

const mostStrangers = 64
/** So that one address cannot keep everybody else out. */
const mostOfOneSender = 10

export interface Strangers {
  isFull(sender: string): boolean
  come(sender: string): void
  go(sender: string): void
}

/** This computer has one address for everybody on it. */
export function createStrangers(): Strangers {
  const counts = new Map<string, number>()
  let all = 0
  const count = (sender: string, change: 1 | -1) => {
    const left = (counts.get(sender) ?? 0) + change
    if (left === 0) counts.delete(sender)
    else counts.set(sender, left)
    all += change
  }
  return {
    isFull: (sender: string) =>
      all >= mostStrangers || (sender !== thisComputer && (counts.get(sender) ?? 0) >= mostOfOneSender),
    come: (sender: string) => count(sender, 1),
    go: (sender: string) => count(sender, -1),
  }
}

/** Nobody reads from the connection any more, so it would stay for as long as the other side likes. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
