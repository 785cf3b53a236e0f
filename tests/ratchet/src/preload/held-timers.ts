/**
 * Owns the timers of the gateway. While they are held, a long one rings only when time is let pass, so that no poll falls
 * into a journey; short ones belong to the work itself and ring as ever.
 */
import { AsyncResource } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import type { TimerOptions } from 'node:timers'
import promises from 'node:timers/promises'

export interface HeldTimers {
  /** From here on long timers wait for `ring`, and all begin anew. */
  hold(now: number): void
  /** Lets them ring by themselves again. */
  release(): void
  /** When the next long timer is due. */
  nextDue(): number | undefined
  /** Rings those that are due at this time. */
  ring(now: number): void
  /** Short timers that have not rung yet. */
  waiting(): number
}

/** What gathers work for a moment is shorter, what polls is longer. */
const longMs = 200

type Act = (...given: unknown[]) => void

const real = { setTimeout, clearTimeout, setInterval }

export function installTimers(): HeldTimers {
  const long = new Set<LongTimer>()
  const short = new Set<unknown>()
  const time: { heldAt: number | undefined } = { heldAt: undefined }

  function startLong(act: () => void, ms: number, repeats: boolean): LongTimer {
    const timer = new LongTimer(AsyncResource.bind(act), ms, repeats, long, time)
    timer.refresh()
    return timer
  }

  function startShort(act: () => void, ms: number): NodeJS.Timeout {
    const timer = real.setTimeout(() => {
      short.delete(timer)
      act()
    }, ms)
    short.add(timer)
    return timer
  }

  function clear(timer: unknown): void {
    if (timer instanceof LongTimer) return timer.close()
    short.delete(timer)
    real.clearTimeout(timer as NodeJS.Timeout)
  }

  Object.assign(globalThis, {
    setTimeout: (act: Act, ms = 0, ...given: unknown[]) =>
      ms >= longMs ? startLong(() => act(...given), ms, false) : startShort(() => act(...given), ms),
    setInterval: (act: Act, ms = 0, ...given: unknown[]) =>
      ms >= longMs ? startLong(() => act(...given), ms, true) : real.setInterval(act, ms, ...given),
    clearTimeout: clear,
    clearInterval: clear,
  })
  // Those that are awaited are timers as well.
  promises.setTimeout = (<Value>(ms = 0, value?: Value, { signal, ref = true }: TimerOptions = {}) =>
    new Promise<Value | undefined>((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        reject(new DOMException('The operation was aborted', { name: 'AbortError', cause: signal?.reason }))
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve(value)
      }, ms)
      if (!ref) timer.unref()
      if (signal?.aborted) stop()
      else signal?.addEventListener('abort', stop, { once: true })
    })) as typeof promises.setTimeout
  syncBuiltinESMExports()

  return {
    hold(now) {
      time.heldAt = now
      for (const timer of Array.from(long)) timer.refresh()
    },
    release() {
      time.heldAt = undefined
      for (const timer of Array.from(long)) timer.refresh()
    },
    nextDue: () => (long.size === 0 ? undefined : Math.min(...[...long].map(({ due }) => due))),
    ring(now) {
      time.heldAt = now
      for (const timer of Array.from(long)) if (long.has(timer) && timer.due <= now) timer.ring()
    },
    waiting: () => short.size,
  }
}

/** What the product and its libraries use of a timer of Node. */
class LongTimer {
  due = Number.POSITIVE_INFINITY
  readonly #act: () => void
  readonly #ms: number
  readonly #repeats: boolean
  readonly #all: Set<LongTimer>
  readonly #time: { readonly heldAt: number | undefined }
  #real: NodeJS.Timeout | undefined
  #keepsAlive = true

  constructor(
    act: () => void,
    ms: number,
    repeats: boolean,
    all: Set<LongTimer>,
    time: { readonly heldAt: number | undefined },
  ) {
    this.#act = act
    this.#ms = ms
    this.#repeats = repeats
    this.#all = all
    this.#time = time
  }

  /** Begins anew, by itself or held, as time goes. */
  refresh(): this {
    this.close()
    this.#all.add(this)
    if (this.#time.heldAt === undefined) {
      this.#real = real.setTimeout(() => this.ring(), this.#ms)
      if (!this.#keepsAlive) this.#real.unref()
    } else this.due = this.#time.heldAt + this.#ms
    return this
  }

  ring(): void {
    this.close()
    if (this.#repeats) this.refresh()
    this.#act()
  }

  close(): void {
    real.clearTimeout(this.#real)
    this.due = Number.POSITIVE_INFINITY
    this.#all.delete(this)
  }

  ref(): this {
    this.#keepsAlive = true
    this.#real?.ref()
    return this
  }

  unref(): this {
    this.#keepsAlive = false
    this.#real?.unref()
    return this
  }

  hasRef(): boolean {
    return this.#keepsAlive
  }
}
