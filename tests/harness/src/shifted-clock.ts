/**
 * Preloaded into a gateway, whose time is then ahead by what a file says, and that of the processes which it forks. The
 * file is named in the address.
 */
import childProcess from 'node:child_process'
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { replaceDate } from './replace-date.ts'

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

replaceDate(now)

// The executor is started with arguments of its own; a permit would be of another time to it.
const { fork } = childProcess
childProcess.fork = ((path: string, given: readonly string[], options: childProcess.ForkOptions) =>
  fork(path, given, {
    ...options,
    execArgv: [...(options.execArgv ?? []), '--import', import.meta.url],
  })) as typeof fork
syncBuiltinESMExports()
