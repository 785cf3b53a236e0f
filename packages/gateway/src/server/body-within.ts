/** Owns reading a body that nobody vouches for: it stops at the limit, whatever length was announced. */
import { CountersignError } from '@countersign/contract'
import type { Context } from 'hono'

export async function bodyWithin(context: Context, most: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of context.req.raw.body ?? []) {
    size += piece.byteLength
    if (size > most) throw new CountersignError('usage', `A delivery may have at most ${most} bytes.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
