/** Owns where things live on this machine. Everything is below the XDG folders, or below COUNTERSIGN_HOME. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { folderProblem } from './own-folder.ts'

export interface HomePaths {
  readonly config: string
  readonly policies: string
  readonly data: string
  readonly database: string
  readonly keys: string
  readonly deviceKey: string
  readonly trust: string
  /** The signed statements about devices and passkeys. */
  readonly devices: string
  readonly executor: string
  readonly workspace: string
  readonly state: string
  readonly logs: string
  readonly run: string
  readonly lease: string
}

export interface HomeEnvironment {
  readonly COUNTERSIGN_HOME?: string | undefined
  readonly COUNTERSIGN_WORKSPACE?: string | undefined
  readonly XDG_CONFIG_HOME?: string | undefined
  readonly XDG_DATA_HOME?: string | undefined
  readonly XDG_STATE_HOME?: string | undefined
  readonly XDG_RUNTIME_DIR?: string | undefined
  readonly LOCALAPPDATA?: string | undefined
}

export function homePaths(environment: HomeEnvironment, platform: NodeJS.Platform): HomePaths {
  const base = baseFolders(environment, platform)
  return {
    config: join(base.config, 'config.json'),
    policies: join(base.config, 'policy.d'),
    data: base.data,
    database: join(base.data, 'postgres'),
    keys: join(base.data, 'keys'),
    deviceKey: join(base.data, 'device', 'device.key'),
    trust: join(base.data, 'trust.json'),
    devices: join(base.data, 'devices.jsonl'),
    executor: join(base.data, 'executor'),
    workspace: environment.COUNTERSIGN_WORKSPACE ?? join(base.data, 'workspace'),
    state: base.state,
    logs: join(base.state, 'logs'),
    run: base.run,
    lease: join(base.run, 'gateways'),
  }
}

function baseFolders(environment: HomeEnvironment, platform: NodeJS.Platform) {
  const root = environment.COUNTERSIGN_HOME
  if (root) {
    return {
      config: join(root, 'config'),
      data: join(root, 'data'),
      state: join(root, 'state'),
      run: join(root, 'run'),
    }
  }
  const name = 'countersign'
  const system = systemFolders(environment, platform)
  const state = join(environment.XDG_STATE_HOME ?? system.state, name)
  const runtime = environment.XDG_RUNTIME_DIR
  return {
    config: join(environment.XDG_CONFIG_HOME ?? system.config, name),
    data: join(environment.XDG_DATA_HOME ?? system.data, name),
    state,
    run: runtime !== undefined && isUsable(runtime) ? join(runtime, name) : join(state, 'run'),
  }
}

/** The system's folder for this user, where it is there and really this user's. */
function isUsable(runtime: string): boolean {
  return existsSync(runtime) && folderProblem(runtime) === null
}

function systemFolders(environment: HomeEnvironment, platform: NodeJS.Platform) {
  const home = homedir()
  if (platform === 'darwin') {
    const support = join(home, 'Library', 'Application Support')
    return { config: support, data: support, state: support }
  }
  if (platform === 'win32') {
    const local = environment.LOCALAPPDATA ?? join(home, 'AppData', 'Local')
    return { config: local, data: local, state: local }
  }
  return {
    config: join(home, '.config'),
    data: join(home, '.local', 'share'),
    state: join(home, '.local', 'state'),
  }
}
