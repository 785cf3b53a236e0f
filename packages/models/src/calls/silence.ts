/** Owns how long a provider may be silent, and how long its reply may take. Refuses to count the time its reader takes. */
import type { ModelFailure } from '@countersign/agent'

export interface SilenceWatch {
  /** Aborts when the caller aborts, when nothing was heard for too long, and when the watch ends. */
  readonly signal: AbortSignal
  /** Only the time between `listen` and `heard` counts: a slow reader of chunks is not a silent provider. */
  listen(): void
  heard(): void
  onStop(stop: () => void): void
  /** Undefined when the signal aborted first. */
  unlessStopped<Value>(work: Promise<Value>): Promise<Value | undefined>
  failure(): ModelFailure
  end(): void
}

export function watchSilence(caller: AbortSignal, timeoutMs: number, longestMs: number): SilenceWatch {
  const controller = new AbortController()
  let listening = true
  let overlong = false
  const stop = () => controller.abort()
  const timer = setTimeout(() => {
    if (listening) stop()
  }, timeoutMs)
  // Words that trickle for ever are no silence, and no reply either.
  const end = setTimeout(() => {
    overlong = true
    stop()
  }, longestMs)
  if (caller.aborted) stop()
  else caller.addEventListener('abort', stop, { once: true })
  return {
    signal: controller.signal,
    listen: () => {
      listening = true
      timer.refresh()
    },
    heard: () => {
      listening = false
    },
    onStop: (listener) => controller.signal.addEventListener('abort', listener, { once: true }),
    unlessStopped: (work) =>
      new Promise((resolve, reject) => {
        if (controller.signal.aborted) resolve(undefined)
        else controller.signal.addEventListener('abort', () => resolve(undefined), { once: true })
        work.then(resolve, reject)
      }),
    failure: () =>
      caller.aborted
        ? { kind: 'cancelled', message: 'The model call was cancelled.' }
        : {
            kind: 'timeout',
            message: overlong
              ? `The reply did not end within ${Math.round(longestMs / 1_000)} s.`
              : `The model provider was silent for ${timeoutMs} ms.`,
          },
    end: () => {
      clearTimeout(timer)
      clearTimeout(end)
      caller.removeEventListener('abort', stop)
      controller.abort()
    },
  }
}
