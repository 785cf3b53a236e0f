/** Owns what the command line takes from the environment. No other file of this package reads it. */
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import type { HomeEnvironment } from '@countersign/contract/node'

export interface Environment {
  readonly home: HomeEnvironment
  /** A gateway other than the one that runs here. */
  readonly url: string | undefined
  /** By which a program speaks that started this command. */
  readonly programToken?: string | undefined
  readonly noColour: boolean
  readonly dumbTerminal: boolean
  /** Whether a window can be shown to whoever gave the command. */
  readonly display: boolean
  /** The editor that the operator uses, with its own options. */
  readonly editor?: string | undefined
  /** The folders in which programs are looked for. */
  readonly programFolders: readonly string[]
  /** Where compiled code may be kept between commands. Private to the operator. */
  readonly cache: string
  /** The folder of the operator, in which shells and service managers look for their files. */
  readonly userHome: string
  /** The name of the shell that the operator uses, such as `zsh`; empty where nothing says it. */
  readonly shell: string
  /** The settings in the environment that a service needs as well, none of which is secret. */
  readonly settings: Readonly<Record<string, string>>
  /** By which programs find the desktop session of whoever gave the command. */
  readonly desktop: Readonly<Record<string, string>>
  /** The names of settings that are there and hold a secret, so that no service file may repeat them. */
  readonly secretSettings: readonly string[]
}

const settingNames = [
  'COUNTERSIGN_HOME',
  'COUNTERSIGN_WORKSPACE',
  'COUNTERSIGN_PORT',
  'COUNTERSIGN_PUBLIC_ORIGINS',
  'COUNTERSIGN_TRUSTED_PROXIES',
  'COUNTERSIGN_AUTONOMY',
  'COUNTERSIGN_TOOLS',
  'COUNTERSIGN_RATES',
  'COUNTERSIGN_SANDBOX',
  'COUNTERSIGN_VAULT_KEY',
  'COUNTERSIGN_LOCAL_TARGETS',
  'COUNTERSIGN_TIME_ZONE',
  'COUNTERSIGN_MODEL',
  'COUNTERSIGN_MODEL_PROVIDER',
  'COUNTERSIGN_MODEL_URL',
  'COUNTERSIGN_OTLP_ENDPOINT',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
  'XDG_RUNTIME_DIR',
] as const

const secretNames = [
  'COUNTERSIGN_MODEL_KEY',
  'COUNTERSIGN_DATABASE_URL',
  'COUNTERSIGN_METRICS_TOKEN',
  'COUNTERSIGN_OTLP_HEADERS',
] as const

const desktopNames = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'XDG_SESSION_TYPE',
  'XDG_CURRENT_DESKTOP',
  'DBUS_SESSION_BUS_ADDRESS',
  'HOME',
  'USER',
  // Without these programs of Windows do not start.
  'SystemRoot',
  'TEMP',
] as const

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
    programToken: values.COUNTERSIGN_PROGRAM_TOKEN || undefined,
    noColour: (values.NO_COLOR ?? '') !== '',
    dumbTerminal: values.TERM === 'dumb',
    display: hasDisplay(values, platform),
    programFolders: (values.PATH ?? '')
      .split(platform === 'win32' ? ';' : ':')
      .filter((folder) => folder !== ''),
    cache: cacheFolder(values, platform),
    userHome: values.HOME || homedir(),
    editor: values.VISUAL || values.EDITOR || undefined,
    shell: basename(values.SHELL ?? ''),
    settings: namedIn(values, settingNames),
    desktop: namedIn(values, desktopNames),
    secretSettings: secretNames.filter((name) => values[name]),
  }
}

function namedIn(values: EnvironmentValues, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = values[name]
      return value ? [[name, value]] : []
    }),
  )
}

/** Over a remote shell a window would open where nobody sits, unless the display is the reader's own. */
function hasDisplay(values: EnvironmentValues, platform: NodeJS.Platform): boolean {
  if (platform === 'darwin' || platform === 'win32') return !values.SSH_CONNECTION
  return Boolean(values.DISPLAY || values.WAYLAND_DISPLAY)
}

function cacheFolder(values: EnvironmentValues, platform: NodeJS.Platform): string {
  if (values.COUNTERSIGN_HOME) return join(values.COUNTERSIGN_HOME, 'cache')
  if (values.XDG_CACHE_HOME) return join(values.XDG_CACHE_HOME, 'countersign')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'countersign')
  if (platform === 'win32') return join(values.LOCALAPPDATA ?? homedir(), 'countersign', 'cache')
  return join(homedir(), '.cache', 'countersign')
}
