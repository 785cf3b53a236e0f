/** Owns the checks of a host: each looks at one thing and gives one finding. None of them needs the gateway to run. */
import { execFile } from 'node:child_process'
import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CountersignError } from '@countersign/contract'
import { type HomePaths, readTrust } from '@countersign/contract/node'
import { readIdentity } from './connection.ts'
import type { Context } from './context.ts'
import { gatewayLog } from './gateway-process.ts'

export interface Finding {
  readonly id: string
  readonly severity: 'ok' | 'warning' | 'error'
  readonly evidence: string
  /** What to do; empty when there is nothing to do. */
  readonly fix: string
}

export async function examine(context: Context): Promise<Finding[]> {
  const paths = await context.paths()
  const local = [
    nodeVersion(process.versions.node),
    homeFolders(paths, context.host.platform),
    deviceKey(paths, context.host.platform),
    trustFile(paths),
    diskSpace(paths),
    clock(paths, context.host.clock()),
  ]
  return [...local, await sandbox(context), ...(await gateway(context, paths))]
}

/** The versions whose runtime this product is tested on. */
export function nodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const fits = (major === 24 && minor >= 16) || (major === 26 && minor >= 1) || major > 26
  return fits
    ? ok('node', `version ${version}`)
    : bad('node', `version ${version}`, 'Install Node.js 24.16 or newer within 24, or 26.1 or newer.')
}

export function homeFolders(paths: HomePaths, platform: NodeJS.Platform): Finding {
  const folders = [paths.data, paths.keys, dirname(paths.deviceKey), paths.executor, paths.run].filter(
    (folder) => existsSync(folder),
  )
  if (folders.length === 0) return hint('home', `${paths.data} does not exist yet`, 'Run `countersign up`.')
  const writable = folders.filter((folder) => (statSync(folder).mode & 0o022) !== 0)
  if (platform === 'win32' || writable.length === 0)
    return ok('home', `${folders.length} folders below ${paths.data}`)
  return bad('home', `others can write to ${writable.join(', ')}`, `chmod 700 ${writable.join(' ')}`)
}

export function deviceKey(paths: HomePaths, platform: NodeJS.Platform): Finding {
  if (!existsSync(paths.deviceKey))
    return hint('device-key', `no key at ${paths.deviceKey}`, 'Run `countersign up`; it makes one.')
  const mode = statSync(paths.deviceKey).mode & 0o777
  const text = `${paths.deviceKey}, mode ${mode.toString(8).padStart(4, '0')}`
  if (platform !== 'win32' && (mode & 0o077) !== 0)
    return bad('device-key', `others can read ${text}`, `chmod 600 ${paths.deviceKey}`)
  return ok('device-key', text)
}

export function trustFile(paths: HomePaths): Finding {
  if (!existsSync(paths.trust))
    return hint('trust', `no trust file at ${paths.trust}`, 'Run `countersign up`; it makes one.')
  try {
    const { devices } = readTrust(paths.trust)
    readIdentity(paths)
    return ok(
      'trust',
      `${devices.filter((device) => device.revokedAt === null).length} paired, this device among them`,
    )
  } catch (error) {
    return bad(
      'trust',
      wordsOf(error),
      'Restore the trust file from a backup; do not make a new one while approvals wait.',
    )
  }
}

export function diskSpace(paths: HomePaths): Finding {
  const { bavail, bsize } = statfsSync(nearestFolder(paths.data))
  const free = bavail * bsize
  const text = `${(free / 2 ** 30).toFixed(1)} GiB free at ${paths.data}`
  if (free < 200 * 2 ** 20)
    return bad('disk', text, 'Free some space: without it nothing can be recorded, and so nothing runs.')
  return free < 2 ** 30 ? hint('disk', text, 'Free some space soon.') : ok('disk', text)
}

/** A clock that runs behind what was already written would make fresh decisions look old. */
export function clock(paths: HomePaths, now: Date): Finding {
  const written = [paths.trust, paths.deviceKey]
    .filter((path) => existsSync(path))
    .map((path) => statSync(path).mtimeMs)
  const latest = Math.max(0, ...written)
  if (latest > now.getTime() + 60_000) {
    return bad(
      'clock',
      `it is ${now.toISOString()} here, yet files were written at ${new Date(latest).toISOString()}`,
      'Set the clock of this machine.',
    )
  }
  return ok('clock', now.toISOString())
}

async function sandbox({ host }: Context): Promise<Finding> {
  if (host.platform !== 'linux')
    return hint('sandbox', `${host.platform} has none yet`, 'Tools that need a sandbox are unavailable here.')
  const found = host.environment.programFolders
    .map((folder) => join(folder, 'bwrap'))
    .find((path) => existsSync(path))
  if (found === undefined)
    return bad(
      'sandbox',
      'bwrap is not in the path',
      'Install bubblewrap, for example `sudo apt install bubblewrap`.',
    )
  const problem = await refusal(found)
  return problem === undefined
    ? ok('sandbox', found)
    : bad(
        'sandbox',
        `${found} does not work: ${problem}`,
        'Allow unprivileged user namespaces for bubblewrap.',
      )
}

function refusal(program: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(
      program,
      ['--unshare-all', '--ro-bind', '/', '/', 'true'],
      { timeout: 3_000 },
      (error, _output, errors) => {
        resolve(error === null ? undefined : errors.trim() || error.message)
      },
    )
  })
}

async function gateway(context: Context, paths: HomePaths): Promise<Finding[]> {
  try {
    const { client } = await context.gateway()
    const status = await client.status()
    const parts = [
      [status.database.ok, 'database'],
      [status.executor.ok, 'executor'],
      [status.model.ok, 'model'],
      [status.ledger.writable, 'ledger'],
    ] as const
    const broken = parts.filter(([fine]) => !fine).map(([, name]) => name)
    const running =
      broken.length === 0
        ? ok('gateway', `${status.url}, version ${status.version}`)
        : bad('gateway', `${status.url}: not ok: ${broken.join(', ')}`, fixFor(broken, paths))
    return [running, ledger(await client.verifyLedger())]
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'gateway_unreachable') {
      return [hint('gateway', error.message, 'Start it with `countersign up`.')]
    }
    return [
      bad(
        'gateway',
        wordsOf(error),
        error instanceof CountersignError ? error.next : 'See the log that `countersign paths` names.',
      ),
    ]
  }
}

function ledger(report: { ok: boolean; size: number; signed: number; problem: string | null }): Finding {
  if (report.ok) return ok('ledger', `${report.size} entries, signed up to ${report.signed}`)
  return bad(
    'ledger',
    report.problem ?? 'does not verify',
    'Export it with `countersign ledger export` and run `countersign-verify` on it.',
  )
}

function fixFor(broken: readonly string[], paths: HomePaths): string {
  return broken.length === 1 && broken[0] === 'model'
    ? `Set the model in ${paths.config}, then run \`countersign down\` and \`countersign up\`.`
    : `Read ${gatewayLog(paths.logs)}.`
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path))
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const ok = (id: string, evidence: string): Finding => ({ id, severity: 'ok', evidence, fix: '' })
const hint = (id: string, evidence: string, fix: string): Finding => ({
  id,
  severity: 'warning',
  evidence,
  fix,
})
const bad = (id: string, evidence: string, fix: string): Finding => ({ id, severity: 'error', evidence, fix })
