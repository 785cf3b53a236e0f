/** Owns the gateway as a process of this host: where its program is, how it is started, what its log says. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export { gatewayLog, lastLines } from '@countersign/contract/doctor'

/** Longer than the first start takes on a busy machine, which makes a database; one that ends says so at once. */
export const startMs = 60_000

export interface StartedGateway {
  readonly pid: number
  /** Resolves when the process ends, with words for how. */
  readonly ended: Promise<string>
}

/** Beside the bundled command when published; in the neighbouring package in the repository. */
export function gatewayProgram(from: string = import.meta.url): string {
  const here = dirname(fileURLToPath(from))
  const candidates = [join(here, 'gateway.js'), join(here, '..', '..', 'gateway', 'src', 'main.ts')]
  const found = candidates.find((path) => existsSync(path))
  if (found === undefined)
    throw new Error(`The gateway program was not found in any of these places: ${candidates.join(', ')}.`)
  return found
}

/** Starts it so that it outlives this command; all it prints goes to its log. */
export function startDetached(
  program: string,
  args: readonly string[],
  log: string,
  environment?: NodeJS.ProcessEnv,
): Promise<StartedGateway> {
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 })
  const file = openSync(log, 'a', 0o600)
  try {
    const child = spawn(process.execPath, [program, ...args], {
      detached: true,
      stdio: ['ignore', file, file],
      ...(environment ? { env: environment } : {}),
    })
    child.unref()
    return startedOf(child)
  } finally {
    closeSync(file)
  }
}

/** Runs it attached to this terminal, until it ends. Resolves with its exit code. */
export function runAttached(program: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' })
  // The terminal gives an interrupt to both; the gateway ends in its own time and this process follows it.
  const leave = () => undefined
  const pass = () => child.kill('SIGTERM')
  process.on('SIGINT', leave)
  process.on('SIGTERM', pass)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      process.off('SIGINT', leave)
      process.off('SIGTERM', pass)
      resolve(code ?? (signal === 'SIGINT' ? 130 : 1))
    })
  })
}

function startedOf(child: ChildProcess): Promise<StartedGateway> {
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal === null ? `with code ${code}` : `by ${signal}`))
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('spawn', () => resolve({ pid: child.pid ?? 0, ended }))
  })
}
