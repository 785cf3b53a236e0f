/** Owns reading a body that nobody vouches for: it stops at the limit, whatever length was announced, and when told to. */
import { CountersignError } from '@countersign/contract'
import type { Context } from 'hono'

export async function bodyWithin(
  context: Context,
  most: number,
  patience?: AbortSignal,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  const body = context.req.raw.body
  for await (const piece of body && patience
    ? body.pipeThrough(passing(), { signal: patience })
    : (body ?? [])) {
    size += piece.byteLength
    if (size > most) throw new CountersignError('usage', `A delivery may have at most ${most} bytes.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const passing = () => new TransformStream<Uint8Array, Uint8Array>()
