/**
 * Owns how messages go over a pipe between the gateway and the process of a channel: a line of JSON each, bounded before it
 * is read. Neither side lets the other choose how its bytes are taken apart.
 */
import type { Readable } from 'node:stream'

/** A file of the largest size that is fetched, as text, and some room. */
export const longestLine = 48 * 1024 * 1024

const mark = '$bytes'

export function encodeLine(message: unknown): string {
  return `${JSON.stringify(message, function (this: Record<string, unknown>, key, value: unknown) {
    // Before a buffer was turned into something else.
    const given = this[key]
    return given instanceof Uint8Array ? { [mark]: Buffer.from(given).toString('base64') } : value
  })}\n`
}

/** Throws where it is no JSON. */
export function decodeLine(line: string): unknown {
  return JSON.parse(line, (_, value: unknown) => bytesOf(value) ?? value)
}

function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'object' || value === null || !(mark in value)) return undefined
  const text = value[mark]
  return typeof text === 'string' && Object.keys(value).length === 1 ? Buffer.from(text, 'base64') : undefined
}

/** Gives each message; tells of what is none, or is too long, after which nothing more is read. */
export function readMessages(
  from: Readable,
  { message, broken }: { message: (message: unknown) => void; broken: (problem: Error) => void },
): void {
  let pieces: Buffer[] = []
  let size = 0
  from.on('data', (chunk: Buffer) => {
    let rest = chunk
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      pieces.push(rest.subarray(0, end))
      const line = Buffer.concat(pieces).toString()
      pieces = []
      size = 0
      rest = rest.subarray(end + 1)
      let read: unknown
      try {
        read = decodeLine(line)
      } catch (cause) {
        broken(new Error('It is no message.', { cause }))
        continue
      }
      message(read)
    }
    pieces.push(rest)
    size += rest.length
    if (size <= longestLine) return
    pieces = []
    size = 0
    from.destroy()
    broken(new Error('A message is too long.'))
  })
}
