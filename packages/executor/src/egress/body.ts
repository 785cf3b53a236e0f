/** Owns how a body is read from the network: to a size, at a least speed, and unpacked only so far. */
import { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { type EgressFailed, messageOf } from './outcome.ts'

export interface BodyLimits {
  /** How far a body may grow when it is decompressed. */
  readonly maxRatio: number
  readonly minBytesPerSecond: number
  /** How long a body may stay below that rate. */
  readonly slowAfterMs: number
}

export interface BodyHearing {
  readonly heard?: ((chunk: Uint8Array) => void) | undefined
  /** While it says so, the body may be slow. */
  readonly isPatient?: (() => boolean) | undefined
}

export class BodyFailure extends Error {
  readonly reason: EgressFailed['reason']
  constructor(reason: EgressFailed['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** Reads to the end, unless it is too large, too slow, or grows too much when it is unpacked. Throws a `BodyFailure`. */
export async function readBody(
  raw: Readable,
  encoding: string,
  maxBytes: number,
  limits: BodyLimits & BodyHearing,
  stop: AbortSignal,
): Promise<Uint8Array> {
  let received = 0
  let sinceLook = 0
  let failure: BodyFailure | null = null
  const fail = (reason: EgressFailed['reason'], message: string): void => {
    failure ??= new BodyFailure(reason, message)
    raw.destroy(failure)
  }
  const watch = setInterval(() => {
    const least = (limits.minBytesPerSecond * limits.slowAfterMs) / 1000
    if (sinceLook < least && limits.isPatient?.() !== true)
      fail('slow-body', `fewer than ${least} bytes in ${limits.slowAfterMs} ms`)
    sinceLook = 0
  }, limits.slowAfterMs)
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of raw as AsyncIterable<Buffer>) {
      received += chunk.length
      sinceLook += chunk.length
      if (received > maxBytes) fail('too-large', `more than ${maxBytes} bytes`)
      yield chunk
    }
  }
  const decoder = decoderFor(encoding)
  const source =
    decoder === null
      ? counted()
      : Readable.from(counted())
          .once('error', (e) => decoder.destroy(e))
          .pipe(decoder)
  const kept: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) fail('too-large', `more than ${maxBytes} bytes`)
      else if (size > ratioFloor && size > received * limits.maxRatio)
        fail('ratio', `over ${limits.maxRatio} times larger`)
      if (failure !== null) throw failure
      kept.push(chunk)
      limits.heard?.(chunk)
    }
    return Buffer.concat(kept)
  } catch (error) {
    stop.throwIfAborted()
    if (failure !== null) throw failure
    if (decoder !== null) throw new BodyFailure('encoding', messageOf(error))
    throw error
  } finally {
    clearInterval(watch)
    decoder?.destroy()
    raw.destroy()
  }
}

/** A small body may shrink to next to nothing without being a bomb. */
const ratioFloor = 64 * 1024

function decoderFor(encoding: string): ReturnType<typeof createGunzip> | null {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return null
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      throw new BodyFailure('encoding', `unknown content encoding ${JSON.stringify(encoding)}`)
  }
}
