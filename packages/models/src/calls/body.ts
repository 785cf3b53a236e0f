/** Watches the bytes of a provider's response on their way to the SDK, which has no bounds. Refuses what is too long and what is not text. */
import { TextDecoder } from 'node:util'
import type { ProviderKind } from '@countersign/contract'
import { BodyFault } from './failure.ts'
import { replyLimits } from './limits.ts'
import { type Lines, readLines } from './ollama-lines.ts'

type Fetch = typeof globalThis.fetch

export function guardedFetch(fetch: Fetch, kind: ProviderKind): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (!response.body) return response
    const lines = kind === 'ollama' && response.ok ? readLines() : undefined
    const { status, statusText, headers } = response
    // Frames with checksums instead of lines; whoever takes them apart checks them.
    const isText = !(kind === 'bedrock' && response.ok)
    return new Response(guarded(response.body, isText, lines), { status, statusText, headers })
  }
}

function guarded(
  body: ReadableStream<Uint8Array>,
  isText: boolean,
  lines?: Lines,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  let lineBytes = 0

  function check(chunk: Uint8Array): void {
    bytes += chunk.length
    const newline = chunk.lastIndexOf(10)
    lineBytes = newline === -1 ? lineBytes + chunk.length : chunk.length - newline - 1
    if (bytes > replyLimits.streamBytes || (isText && lineBytes > replyLimits.lineBytes))
      throw new BodyFault({
        kind: 'invalid',
        message: 'The response of the model provider is too long. Ask for less at once.',
      })
    if (!isText) return
    const text = textOf(decoder, chunk)
    lines?.add(text)
  }

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) {
        controller.close()
        return
      }
      check(value)
      controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

function textOf(decoder: TextDecoder, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new BodyFault({ kind: 'unknown', message: 'The model provider sent bytes that are not text.' })
  }
}
