/** Owns a stream of server-sent events: each as its writer gives it, a sign of life while nothing comes, and one end. */

export interface EventWriter {
  data(value: object | string, event?: string): void
}

const aliveMs = 15_000

/** `gone` is aborted when nobody reads any more. */
export function eventStream(
  work: (writer: EventWriter, gone: AbortSignal) => Promise<void>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const gone = new AbortController()
  let timer: NodeJS.Timeout | undefined
  return new ReadableStream({
    start(controller) {
      const write = (text: string) => {
        if (!gone.signal.aborted) controller.enqueue(encoder.encode(text))
      }
      timer = setInterval(() => write(': still here\n\n'), aliveMs)
      const writer: EventWriter = {
        data(value, event) {
          const text = typeof value === 'string' ? value : JSON.stringify(value)
          write(`${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`)
        },
      }
      const end = () => {
        clearInterval(timer)
        if (!gone.signal.aborted) controller.close()
      }
      work(writer, gone.signal).then(end, end)
    },
    cancel() {
      clearInterval(timer)
      gone.abort()
    },
  })
}
