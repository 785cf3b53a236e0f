/** Owns the file in which the counted processes write down what they do, one line for each thing. */
import { openSync, writeSync } from 'node:fs'

export type TracedKind = 'transaction' | 'statement' | 'signature' | 'verification' | 'parse'

export type Trace = (what: TracedKind, detail: string) => void

/** Every process appends to the same file; a line is short enough to be written whole. */
export function openTrace(path: string): Trace {
  const file = openSync(path, 'a')
  return (what, detail) => {
    writeSync(file, `${what}\t${detail.replaceAll(/\s+/g, ' ').slice(0, 600)}\n`)
  }
}
