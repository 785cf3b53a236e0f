/**
 * Owns how long a call of a server may take: without a word about its progress, and altogether. While the operator is asked
 * for the server, neither counts.
 */

export interface CallClock {
  /** Aborted when it took too long, with words for a person as the reason. */
  readonly signal: AbortSignal
  /** It said something about its progress. */
  heard(): void
  hold(): void
  release(): void
  stop(): void
}

export interface CallWaits {
  readonly silentMs: number
  readonly callMs: number
}

export function startCallClock({ silentMs, callMs }: CallWaits, now: () => number): CallClock {
  const late = new AbortController()
  let left = callMs
  let since = now()
  let isHeld = false
  let silence: NodeJS.Timeout | undefined
  let whole: NodeJS.Timeout | undefined

  function end(text: string): void {
    clear()
    late.abort(new Error(text))
  }

  function clear(): void {
    clearTimeout(silence)
    clearTimeout(whole)
  }

  function listen(): void {
    clearTimeout(silence)
    silence = setTimeout(() => end('It timed out: it said nothing for too long.'), silentMs)
  }

  function run(): void {
    since = now()
    listen()
    whole = setTimeout(() => end('It timed out: it took too long.'), left)
  }

  run()
  return {
    signal: late.signal,
    heard() {
      if (!isHeld && !late.signal.aborted) listen()
    },
    hold() {
      if (isHeld) return
      isHeld = true
      left = Math.max(left - (now() - since), 0)
      clear()
    },
    release() {
      if (!isHeld) return
      isHeld = false
      if (!late.signal.aborted) run()
    },
    stop: clear,
  }
}
