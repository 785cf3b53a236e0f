/** Cuts a stream of bytes into lines at LF. Holds one line at a time, and lets an overlong one through in pieces to be refused. */
import { longestLine } from './line.ts'

export async function* linesOf(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      const rest = chunk.subarray(start, end)
      yield parts.length === 0 ? rest : Buffer.concat([...parts, rest])
      parts = []
      length = 0
      start = end + 1
    }
    if (start < chunk.length) {
      parts.push(chunk.subarray(start))
      length += chunk.length - start
    }
    if (length > longestLine) {
      yield Buffer.concat(parts)
      parts = []
      length = 0
    }
  }
  if (parts.length > 0) yield Buffer.concat(parts)
}

const lineFeed = 10
