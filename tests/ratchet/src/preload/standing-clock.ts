/**
 * Owns the time of a counted process. It is the real one until it is made to stand; from then on it is the one in a file,
 * which the gateway moves and the executor reads.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

export interface StandingClock {
  now(): number
  set(ms: number): void
}

export function installClock(file: string): StandingClock {
  const RealDate = Date
  let stood: number | undefined

  function stoodAt(): number | undefined {
    if (stood === undefined && !existsSync(file)) return undefined
    const text = readFileSync(file, 'utf8')
    // Empty for the moment in which it is written.
    if (text !== '') stood = Number(text)
    return stood
  }
  const now = () => stoodAt() ?? RealDate.now()

  class StandingDate extends RealDate {
    constructor(...given: [] | [number | string | Date]) {
      if (given.length === 0) super(now())
      else super(...given)
    }

    static override now(): number {
      return now()
    }

    /** What the platform makes by itself, as the times of a file, is a date too. */
    static override [Symbol.hasInstance](value: unknown): boolean {
      return Function.prototype[Symbol.hasInstance].call(RealDate, value)
    }
  }
  // More than one argument are the parts of a local time, which nobody here uses.
  globalThis.Date = StandingDate as DateConstructor
  // Permits are refused when the steady clock and the wall clock part, in the executor and in the gateway.
  const began = now()
  performance.now = () => now() - began
  return { now, set: (ms) => writeFileSync(file, String(ms)) }
}
