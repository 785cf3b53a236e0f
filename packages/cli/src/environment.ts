/** Owns what the command line takes from the environment. No other file of this package reads it. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { HomeEnvironment } from '@countersign/contract/node'

export interface Environment {
  readonly home: HomeEnvironment
  /** A gateway other than the one that runs here. */
  readonly url: string | undefined
  readonly noColour: boolean
  readonly dumbTerminal: boolean
  /** The folders in which programs are looked for. */
  readonly programFolders: readonly string[]
  /** Where compiled code may be kept between commands. Private to the operator. */
  readonly cache: string
}

export type EnvironmentValues = Readonly<Record<string, string | undefined>>

export function systemEnvironment(): Environment {
  return readEnvironment(process.env, process.platform)
}

/** What the gateway inherits: everything, and the place where its own compiled code is kept. */
export function gatewayEnvironment(cache: string): NodeJS.ProcessEnv {
  return { ...process.env, NODE_COMPILE_CACHE: join(cache, 'gateway') }
}

export function readEnvironment(values: EnvironmentValues, platform: NodeJS.Platform): Environment {
  return {
    home: {
      COUNTERSIGN_HOME: values.COUNTERSIGN_HOME || undefined,
      COUNTERSIGN_WORKSPACE: values.COUNTERSIGN_WORKSPACE || undefined,
      XDG_CONFIG_HOME: values.XDG_CONFIG_HOME || undefined,
      XDG_DATA_HOME: values.XDG_DATA_HOME || undefined,
      XDG_STATE_HOME: values.XDG_STATE_HOME || undefined,
      XDG_RUNTIME_DIR: values.XDG_RUNTIME_DIR || undefined,
      LOCALAPPDATA: values.LOCALAPPDATA || undefined,
    },
    url: values.COUNTERSIGN_URL || undefined,
    noColour: (values.NO_COLOR ?? '') !== '',
    dumbTerminal: values.TERM === 'dumb',
    programFolders: (values.PATH ?? '')
      .split(platform === 'win32' ? ';' : ':')
      .filter((folder) => folder !== ''),
    cache: cacheFolder(values, platform),
  }
}

function cacheFolder(values: EnvironmentValues, platform: NodeJS.Platform): string {
  if (values.COUNTERSIGN_HOME) return join(values.COUNTERSIGN_HOME, 'cache')
  if (values.XDG_CACHE_HOME) return join(values.XDG_CACHE_HOME, 'countersign')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'countersign')
  if (platform === 'win32') return join(values.LOCALAPPDATA ?? homedir(), 'countersign', 'cache')
  return join(homedir(), '.cache', 'countersign')
}
