/** Owns how a command starts another program of this host and waits for it. Never through a shell. */
import { execFile } from 'node:child_process'

export type ProgramResult =
  | { readonly kind: 'ran'; readonly code: number; readonly output: string; readonly errors: string }
  /** There is no such program on this host. */
  | { readonly kind: 'missing' }

export type RunProgram = (program: string, args: readonly string[]) => Promise<ProgramResult>

const patienceMs = 120_000

export const runProgram: RunProgram = (program, args) =>
  new Promise((resolve) => {
    execFile(program, args, { timeout: patienceMs }, (error, output, errors) => {
      if (error !== null && error.code === 'ENOENT') return resolve({ kind: 'missing' })
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ kind: 'ran', code, output, errors: errors || (error?.message ?? '') })
    })
  })
