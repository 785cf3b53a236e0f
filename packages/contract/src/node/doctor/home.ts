/** Looks at what is kept on this host: folders, keys, and the key of the vault. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { HomePaths } from '../home.ts'
import { folderProblem } from '../own-folder.ts'
import { ownFolders, workspaceNext, workspaceProblem } from '../workspace-location.ts'
import { bad, type DoctorFinding, type DoctorRepair, hint, ok, warning } from './finding.ts'

const privateFolder = 0o700
const privateFile = 0o600

/** Before the first start nothing is there, and nothing is wrong: that no gateway runs says it once. */
export function isNewHome(paths: HomePaths): boolean {
  return ![paths.data, paths.keys, paths.executor, paths.deviceKey, paths.trust].some((path) =>
    existsSync(path),
  )
}

/** Whoever could change one of these folders, or one above it, could take the place of the gateway. */
export function homeFolders(paths: HomePaths, platform: NodeJS.Platform): DoctorFinding {
  const workspace = workspaceProblem(paths.workspace, ownFolders(paths))
  if (workspace !== undefined) return bad('home', workspace, workspaceNext)
  const folders = [
    paths.data,
    paths.keys,
    dirname(paths.deviceKey),
    paths.executor,
    dirname(paths.config),
    paths.policies,
    paths.state,
    paths.run,
    paths.lease,
  ].filter((folder) => existsSync(folder))
  if (folders.length === 0)
    return warning('home', `${paths.data} does not exist yet`, 'Run `countersign up`.')
  if (platform === 'win32') return ok('home', `${folders.length} folders below ${paths.data}`)
  const writable = folders.filter((folder) => isWritableOfOurs(folder))
  if (writable.length > 0)
    return bad(
      'home',
      `others can write to ${writable.join(', ')}`,
      `chmod 700 ${writable.join(' ')}`,
      tightened(writable, privateFolder),
    )
  for (const folder of folders) {
    const problem = folderProblem(folder)
    if (problem !== null) return bad('home', problem.what, problem.next)
  }
  return ok('home', `${folders.length} folders below ${paths.data}`)
}

function isWritableOfOurs(folder: string): boolean {
  const { mode, uid } = statSync(folder)
  return (mode & 0o022) !== 0 && uid === process.getuid?.()
}

export function deviceKey(paths: HomePaths, platform: NodeJS.Platform): DoctorFinding {
  if (!existsSync(paths.deviceKey))
    return warning('device-key', `no key at ${paths.deviceKey}`, 'Run `countersign up` to create one.')
  const mode = statSync(paths.deviceKey).mode & 0o777
  const text = `${paths.deviceKey}, mode ${mode.toString(8).padStart(4, '0')}`
  if (platform !== 'win32' && (mode & 0o077) !== 0)
    return bad(
      'device-key',
      `others can read ${text}`,
      `chmod 600 ${paths.deviceKey}`,
      tightened([paths.deviceKey], privateFile),
    )
  return ok('device-key', text)
}

/** The keys of the gateway, the executor and the vault. */
export function otherKeys(paths: HomePaths, platform: NodeJS.Platform): DoctorFinding {
  const keys = [paths.keys, paths.executor].flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith('.key'))
          .map((name) => join(folder, name))
      : [],
  )
  const open = platform === 'win32' ? [] : keys.filter((path) => (statSync(path).mode & 0o077) !== 0)
  if (open.length > 0)
    return bad(
      'keys',
      `others can read ${open.join(', ')}`,
      `chmod 600 ${open.join(' ')}`,
      tightened(open, privateFile),
    )
  return keys.length === 0
    ? warning('keys', `no keys below ${paths.data}`, 'Run `countersign up` to create them.')
    : ok('keys', `${keys.length} below ${paths.data}, private`)
}

export function vaultKey(paths: HomePaths): DoctorFinding {
  const record = join(paths.keys, 'vault.json')
  const sealed = existsSync(join(paths.state, 'vault', 'secrets.age'))
  if (!existsSync(record)) {
    return sealed
      ? bad(
          'vault',
          `there are secrets, but ${record} does not say where their key is`,
          'Restore it: {"v":1,"store":"keyring"} or {"v":1,"store":"file"}.',
        )
      : ok('vault', 'holds nothing yet')
  }
  const store = storeIn(record)
  if (store === 'keyring') return ok('vault', 'its key is in the keyring of this host')
  if (store !== 'file')
    return bad(
      'vault',
      `${record} does not say where the key of the vault is`,
      'Restore it: {"v":1,"store":"keyring"} or {"v":1,"store":"file"}.',
    )
  const key = join(paths.keys, 'vault.key')
  if (!existsSync(key))
    return bad(
      'vault',
      `its key is missing at ${key}`,
      'Restore it from a backup; without it you must set the secrets again.',
    )
  return hint('vault', `its key is in the file ${key}`, 'A keyring is safer, if this host has one.')
}

function storeIn(record: string): unknown {
  try {
    return (JSON.parse(readFileSync(record, 'utf8')) as { store?: unknown } | null)?.store
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

function tightened(paths: readonly string[], mode: number): DoctorRepair[] {
  return paths.map((path) => ({ kind: 'chmod', path, mode }))
}
