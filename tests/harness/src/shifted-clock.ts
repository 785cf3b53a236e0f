/**
 * Preloaded into a gateway, whose time is then ahead by what a file says, and that of the processes which it forks. The
 * file is named in the address.
 */
import childProcess from 'node:child_process'
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const file = new URL(import.meta.url).searchParams.get('file') ?? ''
const RealDate = Date
let aheadMs = 0

/** Read each time: whoever let time pass may ask the gateway at once. */
function now(): number {
  const text = readFileSync(file, 'utf8')
  // Empty for the moment in which it is written.
  if (text !== '') aheadMs = Number(text)
  return RealDate.now() + aheadMs
}

class ShiftedDate extends RealDate {
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
globalThis.Date = ShiftedDate as DateConstructor

// The executor is started with arguments of its own; a permit would be of another time to it.
const { fork } = childProcess
childProcess.fork = ((path: string, given: readonly string[], options: childProcess.ForkOptions) =>
  fork(path, given, {
    ...options,
    execArgv: [...(options.execArgv ?? []), '--import', import.meta.url],
  })) as typeof fork
syncBuiltinESMExports()
