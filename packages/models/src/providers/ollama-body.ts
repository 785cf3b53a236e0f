/**
 * Ends the body of a stopped call instead of breaking it. The package of Ollama cancels a body without waiting, and a
 * body that broke refuses to be cancelled: nobody would catch that, and the process would end.
 */
export function withQuietStop(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (!response.body) return response
    const { status, statusText, headers } = response
    return new Response(quietlyStopped(response.body, init?.signal), { status, statusText, headers })
  }
}

function quietlyStopped(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | null | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          if (!signal?.aborted) throw error
          controller.close()
        }
      },
      // Whoever cancels has the signal's word for it, and needs none from a body that is broken already.
      cancel: (reason) => reader.cancel(reason).catch(() => undefined),
    },
    // Nothing is read ahead, so that a broken body is noticed by whoever reads it and not by whoever cancels it.
    { highWaterMark: 0 },
  )
}
