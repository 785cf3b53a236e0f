/**
 * Owns the time of a counted process. It is the real one until it is made to stand; from then on it is the one in a file,
 * which the gateway moves and the executor reads.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { replaceDate } from '../../../harness/src/replace-date.ts'

export interface StoppedClock {
  now(): number
  set(ms: number): void
}

export function installClock(file: string): StoppedClock {
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

  replaceDate(now)
  // Permits are refused when the steady clock and the wall clock part, in the executor and in the gateway.
  const began = now()
  performance.now = () => now() - began
  return { now, set: (ms) => writeFileSync(file, String(ms)) }
}
