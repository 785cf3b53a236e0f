/** Owns where the service of a home is: its name, its files, and what it is started with. Computes only. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Environment } from '../environment.ts'
import type { HomePaths } from '../home.ts'

export type ServiceSystem = 'systemd' | 'launchd'

export interface ServicePaths {
  readonly system: ServiceSystem
  /** The name under which the service manager knows it. */
  readonly name: string
  /** The unit or the property list. */
  readonly file: string
  /** The script that the service starts. */
  readonly shim: string
  readonly log: string
  /** Settings with secrets in them, private to the operator; systemd reads it where it is there. */
  readonly secretsFile: string
  readonly environment: Readonly<Record<string, string>>
  readonly user: number
  /** What it is, for whoever reads the file, and the command that it gives. */
  readonly about: string
  readonly command: readonly string[]
  /** The command that writes its file. */
  readonly writer: string
}

export interface ServicePathsOptions {
  readonly platform: NodeJS.Platform
  readonly paths: HomePaths
  readonly environment: Environment
  readonly user: number
  /** The gateway where nothing else is said. */
  readonly of?: ServiceKind
}

export type ServiceKind = 'gateway' | 'node'

const kinds = {
  gateway: {
    about: 'Countersign gateway',
    command: ['up', '--foreground'],
    writer: 'countersign service install',
  },
  node: { about: 'Countersign node', command: ['node', 'run'], writer: 'countersign node install' },
} as const

/** Nothing where this host has no service manager that we know. */
export function servicePathsFor({
  platform,
  paths,
  environment,
  user,
  of = 'gateway',
}: ServicePathsOptions): ServicePaths | undefined {
  const system = systemOf(platform)
  if (system === undefined) return undefined
  const plain = of === 'gateway' ? 'countersign' : 'countersign-node'
  const name = `${system === 'launchd' ? `countersign.${of}` : plain}${homeMark(environment)}`
  return {
    system,
    name: system === 'systemd' ? `${name}.service` : name,
    file:
      system === 'systemd' ? join(unitFolder(environment), `${name}.service`) : agentFile(environment, name),
    shim: shimPath(paths, of),
    log: join(paths.logs, `${of}.log`),
    secretsFile: join(paths.config, '..', 'service.env'),
    environment: {
      HOME: environment.userHome,
      PATH: system === 'launchd' ? `/opt/homebrew/bin:${systemPath}` : systemPath,
      NODE_COMPILE_CACHE: join(environment.cache, of),
      ...environment.settings,
    },
    user,
    ...kinds[of],
  }
}

export function shimPath(paths: HomePaths, of: ServiceKind = 'gateway'): string {
  return join(paths.data, 'bin', of === 'gateway' ? 'countersign' : 'countersign-node')
}

/** Fixed, and without the folders of a version manager: what the service finds does not change with a shell. */
const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

function systemOf(platform: NodeJS.Platform): ServiceSystem | undefined {
  if (platform === 'linux') return 'systemd'
  return platform === 'darwin' ? 'launchd' : undefined
}

/** A home of its own has a service of its own, beside the usual one. */
function homeMark({ home }: Environment): string {
  if (home.COUNTERSIGN_HOME === undefined) return ''
  return `-${createHash('sha256').update(home.COUNTERSIGN_HOME).digest('hex').slice(0, 8)}`
}

function unitFolder({ home, userHome }: Environment): string {
  return join(home.XDG_CONFIG_HOME ?? join(userHome, '.config'), 'systemd', 'user')
}

function agentFile({ userHome }: Environment, name: string): string {
  return join(userHome, 'Library', 'LaunchAgents', `${name}.plist`)
}
