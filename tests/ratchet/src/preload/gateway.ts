/**
 * Loaded first into the gateway: counts what it does, makes its time stand still, and lets it pass when it is told so over
 * a socket. The folder of all that is named in the address.
 */
import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'
import { openChangeLog } from './database-settings.ts'
import { type HeldTimers, installTimers } from './held-timers.ts'
import { countParses } from './parses.ts'
import { countSignatures } from './signatures.ts'
import { countStatements, type Statements } from './statements.ts'
import { installClock, type StoppedClock } from './stopped-clock.ts'
import { openTrace } from './trace.ts'

/** What a test may ask for. Each is answered when nothing is under way any more. */
export type Order =
  | { readonly kind: 'stand' | 'rest' | 'release' }
  | { readonly kind: 'pass'; readonly ms: number }

interface Parts {
  readonly clock: StoppedClock
  readonly timers: HeldTimers
  readonly statements: Statements
}

const minute = 60_000
/** Time stands beside the full minute, so that what is due at one meets no poll. */
const besideMs = 333

// A thread of the gateway is given the same arguments.
if (isMainThread) countGateway(new URL(import.meta.url).searchParams.get('folder') ?? '')

function countGateway(folder: string): void {
  const timers = installTimers()
  const clock = installClock(join(folder, 'now'))
  // Polls that wait for a random while would come to a random number.
  Math.random = () => 0.5
  openChangeLog()
  const trace = openTrace(join(folder, 'trace'))
  countSignatures(trace)
  countParses(trace)
  const statements = countStatements(trace)
  countExecutor(folder)
  takeOrders(join(folder, 'orders'), { clock, timers, statements })
}

function takeOrders(path: string, parts: Parts): void {
  const server = createServer((socket) => {
    createInterface(socket).on('line', (line) => {
      obey(JSON.parse(line) as Order, parts).then(
        () => socket.write('done\n'),
        (error: unknown) => socket.write(`${String(error)}\n`),
      )
    })
  })
  server.listen(path).unref()
}

async function obey(order: Order, parts: Parts): Promise<void> {
  const { clock, timers } = parts
  if (order.kind === 'stand') {
    // At least a minute on, so that what was done at the start is due again wherever in a minute that was.
    clock.set((Math.ceil(Date.now() / minute) + 1) * minute + besideMs)
    timers.hold(clock.now())
  }
  if (order.kind === 'release') timers.release()
  if (order.kind === 'pass') await pass(order.ms, parts)
  await rest(parts)
}

/** Goes from one timer to the next, and lets each do its work before time goes on. */
async function pass(ms: number, parts: Parts): Promise<void> {
  const { clock, timers } = parts
  const end = clock.now() + ms
  for (let due = timers.nextDue(); due !== undefined && due <= end; due = timers.nextDue()) {
    clock.set(Math.max(due, clock.now()))
    timers.ring(clock.now())
    await rest(parts)
  }
  clock.set(end)
  timers.ring(end)
}

/** Resolves when nothing is under way any more: no statement, no short timer, no file. */
async function rest(parts: Parts): Promise<void> {
  for (let calm = 0; calm < 5; calm += 1) {
    await setImmediate()
    if (!isBusy(parts)) continue
    calm = -1
    await sleep(1)
  }
}

function isBusy({ statements, timers }: Parts): boolean {
  if (statements.unanswered() > 0 || timers.waiting() > 0) return true
  return process.getActiveResourcesInfo().some((name) => /^(?:FSReq|Immediate|GetAddrInfo)/.test(name))
}

/** The executor is started with arguments of its own. */
function countExecutor(folder: string): void {
  const { fork } = childProcess
  const counted = new URL(`./executor.ts?folder=${encodeURIComponent(folder)}`, import.meta.url).href
  childProcess.fork = ((path: string, given: readonly string[], options: childProcess.ForkOptions) =>
    fork(path, given, {
      ...options,
      execArgv: [...(options.execArgv ?? []), '--import', counted],
    })) as typeof fork
  syncBuiltinESMExports()
}
