/**
 * Owns how a stream of bytes goes between two processes that send each other messages: one piece is under way in each
 * direction until the other side has taken it, so that whoever says much fills nobody's memory and delays no other message.
 */
import { Duplex } from 'node:stream'

export interface CarriedSide {
  /** What is written and read here, as any other stream. */
  readonly stream: Duplex
  /** A piece came from the other side, base64. */
  given(piece: string): void
  /** The other side has taken the last piece. */
  taken(): void
  /** Nothing more comes or goes. */
  end(): void
}

const pieceBytes = 256 * 1024

export function carriedStream(other: { give(piece: string): void; take(): void }): CarriedSide {
  let written: (() => void) | undefined
  let isOwing = false

  function give(bytes: Buffer, done: (error?: Error | null) => void): void {
    other.give(bytes.subarray(0, pieceBytes).toString('base64'))
    written = () => {
      written = undefined
      if (bytes.length > pieceBytes) give(bytes.subarray(pieceBytes), done)
      else done()
    }
  }

  const stream = new Duplex({
    write: (chunk: Buffer, _encoding, done) => give(chunk, done),
    read() {
      if (!isOwing) return
      isOwing = false
      other.take()
    },
  })
  // Whoever uses it hears of its end.
  stream.on('error', () => undefined)
  return {
    stream,
    given(piece) {
      if (stream.destroyed) return
      if (isOwing) return void stream.destroy(new Error('A piece came before the last one was taken.'))
      isOwing = true
      if (stream.push(Buffer.from(piece, 'base64'))) {
        isOwing = false
        other.take()
      }
    },
    taken: () => written?.(),
    end: () => void stream.destroy(),
  }
}
