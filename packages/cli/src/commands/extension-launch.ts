/**
 * Owns how the words of a command become what a server is started with or reached by: its files are told
 * by one hash. Refuses what fits only another kind of server.
 */
import { resolve } from 'node:path'
import {
  nothingGiven,
  type ServerLaunch,
  type ServerPreset,
  type StdioLaunch,
  serverPreset,
  serverPresets,
} from '@countersign/contract'
import { readTree } from '@countersign/contract/node'
import type { Context, OptionValues } from '../context.ts'
import { line } from '../output/safe-text.ts'
import { packageFiles, type ServerFiles } from './extension-package.ts'

export interface LaunchWish {
  readonly launch: ServerLaunch
  /** Where its files are copied from. */
  readonly from: string | null
}

/** With what was there before where nothing else is said. A text says what is wrong. */
export async function launchOf(
  context: Pick<Context, 'host' | 'working'>,
  words: readonly string[],
  options: OptionValues,
  before: ServerLaunch | undefined,
): Promise<LaunchWish | string> {
  const preset = presetOf(options)
  if (typeof preset === 'string') return preset
  const isElsewhere = typeof options['address'] === 'string' || (before ?? preset?.launch)?.kind === 'http'
  return isElsewhere
    ? httpLaunch(options, before?.kind === 'http' ? before : preset?.launch)
    : stdioLaunch(context, words, options, { preset, before: before?.kind === 'stdio' ? before : undefined })
}

export function presetOf({ preset: name }: OptionValues): ServerPreset | undefined | string {
  if (typeof name !== 'string') return undefined
  return (
    serverPreset(name) ?? `There is no preset ${line(name)}, only ${Object.keys(serverPresets).join(', ')}.`
  )
}

function httpLaunch(options: OptionValues, known: ServerPreset['launch'] | undefined): LaunchWish | string {
  const before = known?.kind === 'http' ? known : undefined
  const url = typeof options['address'] === 'string' ? options['address'] : before?.url
  if (url === undefined || !URL.canParse(url))
    return 'Give its address with --address, such as https://mcp.example.com/mcp.'
  const unfit = ['package', 'files', 'env', 'folder', 'host', 'data', 'sockets'].find(
    (name) => options[name] !== undefined,
  )
  if (unfit !== undefined)
    return `--${unfit} is for a server that is started here, and not for one at an address.`
  const [secret, ...more] = listOf(options['secret'])
  if (more.length > 0) return 'A server at an address is sent one secret, as bearer token.'
  // A sign-in is for one address, and stands instead of a secret.
  const oauth = secret === undefined && before?.url === url ? before.oauth : undefined
  const launch = { kind: 'http', url, secret: secret ?? before?.secret ?? null } as const
  return { launch: oauth ? { ...launch, oauth } : launch, from: null }
}

async function stdioLaunch(
  context: Pick<Context, 'host' | 'working'>,
  words: readonly string[],
  options: OptionValues,
  { preset, before }: { readonly preset: ServerPreset | undefined; readonly before: StdioLaunch | undefined },
): Promise<LaunchWish | string> {
  const lent = preset?.launch.kind === 'stdio' ? preset.launch : undefined
  const given = givenIn(options)
  if (typeof given === 'string') return given
  const files = await filesOf(context, options)
  if (typeof files === 'string') return files
  const program = files?.program === undefined ? [] : ['node', files.program]
  const rest = words.length > 0 ? words : before && files ? before.argv.slice(2) : (lent?.words ?? [])
  const argv = program.length > 0 ? [...program, ...rest] : words.length > 0 ? words : (before?.argv ?? [])
  if (argv.length === 0)
    return lent
      ? `Name the package with its version: --package ${lent.npm}@VERSION.`
      : 'Say what starts it: --package NAME@VERSION, or --files FOLDER and a command after --.'
  const base = {
    ...nothingGiven,
    ...(lent?.sockets ? { sockets: lent.sockets } : {}),
    ...partsOf(before),
  }
  return {
    launch: {
      kind: 'stdio',
      argv: [...argv],
      tree: files ? files.tree : (before?.tree ?? null),
      package: files ? files.package : (before?.package ?? null),
      ...base,
      ...given,
    },
    from: files?.folder ?? null,
  }
}

type StdioParts = Pick<StdioLaunch, 'environment' | 'folders' | 'hosts' | 'secrets' | 'data' | 'sockets'>

function partsOf(before: StdioLaunch | undefined): Partial<StdioParts> {
  if (!before) return {}
  const { environment, folders, hosts, secrets, data, sockets } = before
  return { environment, folders, hosts, secrets, data, ...(sockets ? { sockets } : {}) }
}

function givenIn(options: OptionValues): Partial<StdioParts> | string {
  const environment = pairsOf(listOf(options['env']))
  if (typeof environment === 'string') return `--env ${environment}`
  const secrets = pairsOf(listOf(options['secret']))
  if (typeof secrets === 'string') return `--secret ${secrets}`
  const hosts = listOf(options['host']).map((text) => {
    const [, host = '', port = '443'] = /^([^:]+)(?::(\d+))?$/.exec(text) ?? []
    return { host: host.toLowerCase(), port: Number(port) }
  })
  if (hosts.some(({ host }) => host === '')) return '--host takes a host, or host:port.'
  const folders = listOf(options['folder']).map((text) => ({
    path: text.replace(/:write$/, ''),
    write: text.endsWith(':write'),
  }))
  return {
    ...(options['env'] === undefined ? {} : { environment }),
    ...(options['secret'] === undefined ? {} : { secrets }),
    ...(hosts.length === 0 ? {} : { hosts }),
    ...(folders.length === 0 ? {} : { folders }),
    ...(options['data'] === true ? { data: true } : {}),
    ...(options['sockets'] === true ? { sockets: true } : {}),
  }
}

export function listOf(value: string | boolean | undefined): string[] {
  return typeof value === 'string' ? value.split('\0') : []
}

function pairsOf(texts: readonly string[]): Record<string, string> | string {
  const pairs = texts.map((text) => [text.split('=', 1)[0] ?? '', text.slice(text.indexOf('=') + 1)] as const)
  const bad = texts.find((text) => !text.includes('='))
  return bad === undefined ? Object.fromEntries(pairs) : `takes NAME=value, and not ${line(bad)}.`
}

async function filesOf(
  context: Pick<Context, 'host' | 'working'>,
  { package: wanted, files, integrity }: OptionValues,
): Promise<ServerFiles | undefined | string> {
  if (typeof wanted === 'string')
    return packageFiles(context, wanted, typeof integrity === 'string' ? integrity : undefined)
  if (typeof files !== 'string') return undefined
  const folder = resolve(files)
  const found = await readTree(folder)
  return found.kind === 'refused' ? found.reason : { folder, tree: found.sha256, package: null }
}
