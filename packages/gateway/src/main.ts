/** The gateway's process. Starts, and starts again when the database was lost; ends on a signal. */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { CountersignError } from '@countersign/contract'
import { readTrust, rememberPort } from '@countersign/contract/node'
import { readConfig } from './config.ts'
import { type Gateway, type GatewayOptions, openGateway } from './gateway.ts'
import { errorText } from './log.ts'

const mostRestarts = 5
const calmMs = 60_000
const firstPauseMs = 1_000
const longestPauseMs = 30_000

const write = (line: string) => process.stdout.write(line)

const stopped = Promise.withResolvers<'stop'>()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopped.resolve('stop'))
// Node would open its debugger to everybody on this computer.
process.on('SIGUSR1', () => undefined)

try {
  await live()
} catch (error) {
  write(`${new Date().toISOString()} ${errorText(error)}\n`)
  if (error instanceof CountersignError) write(`${error.next}\n`)
  process.exitCode = 1
}
process.exit()

async function live(): Promise<void> {
  const { values: flags } = parseArgs({
    options: { port: { type: 'string' }, workspace: { type: 'string' } },
  })
  let config = readConfig(process.env, flags)
  const trust = readTrust(config.paths.trust)
  for (let restarts = 0; ; restarts += 1) {
    const settings = {
      config,
      trust,
      executorMain: executorMain(),
      channelMain: channelMain(),
      pages: pagesFolder(),
      write,
    }
    const gateway = await (restarts === 0 ? openGateway(settings) : opened(settings))
    if (gateway === 'stop') return
    const openedAt = Date.now()
    // Clients find it at the same place after a restart, also when any port was fine.
    config = { ...config, port: Number(new URL(gateway.url).port) }
    rememberPort(config.paths, config.port)
    const outcome = await Promise.race([stopped.promise, gateway.broken])
    await gateway.close({ stopDatabase: outcome === 'stop' })
    if (outcome === 'stop') return
    write(`${new Date().toISOString()} starting again: ${errorText(outcome)}\n`)
    if (Date.now() - openedAt > calmMs) restarts = 0
    if (restarts >= mostRestarts)
      throw new CountersignError('database_unavailable', 'The connection to the database failed too often.', {
        cause: outcome,
      })
  }
}

/** A database that was there is waited for, for as long as nobody stops us: it may be started again, or get room. */
async function opened(settings: GatewayOptions): Promise<Gateway | 'stop'> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await openGateway(settings)
    } catch (error) {
      write(
        `${new Date().toISOString()} not started, next try in ${String(pauseMs / 1_000)} s: ${errorText(error)}\n`,
      )
    }
    if ((await Promise.race([stopped.promise, sleep(pauseMs)])) === 'stop') return 'stop'
  }
}

/** Beside this file in the published package, in its own package in the repository. */
function executorMain(): string {
  const beside = fileURLToPath(new URL('./executor.js', import.meta.url))
  return existsSync(beside) ? beside : fileURLToPath(import.meta.resolve('@countersign/executor/main'))
}

function channelMain(): string {
  const beside = fileURLToPath(new URL('./channel.js', import.meta.url))
  return existsSync(beside) ? beside : fileURLToPath(import.meta.resolve('@countersign/channels/main'))
}

/** In the published package beside this file, in the repository where they are built. */
function pagesFolder(): string {
  const beside = fileURLToPath(new URL('./web', import.meta.url))
  return existsSync(beside) ? beside : fileURLToPath(new URL('../../web/dist', import.meta.url))
}
