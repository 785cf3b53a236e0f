/**
 * Owns what an uninstall removes and what it leaves, as a list with reasons. Computes and looks only. Refuses folders that
 * do not show that they are ours, links, and whatever holds something that is kept.
 */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { GatewayId } from '@countersign/contract'
import { completionFiles } from './completion-files.ts'
import type { Environment } from './environment.ts'
import type { HomePaths } from './home.ts'

export interface Removal {
  readonly what: 'completion' | 'data' | 'database' | 'config' | 'state' | 'cache' | 'run'
  readonly path: string
}

export interface KeptPath {
  readonly path: string
  readonly because: string
}

export interface RemovalPlan {
  readonly remove: readonly Removal[]
  readonly leave: readonly KeptPath[]
}

export interface RemovalOptions {
  readonly paths: HomePaths
  readonly environment: Environment
  readonly keepData: boolean
  /** Where root keeps the database. */
  readonly systemFolder?: string
}

export function removalPlan(options: RemovalOptions): RemovalPlan {
  const { paths, environment, keepData } = options
  const config = dirname(paths.config)
  const kept = keepData
    ? [paths.data, config, join(paths.state, 'vault')].map((path) => ({
        path,
        because: 'kept, as you asked',
      }))
    : []
  const hasTrust = namesGateway(paths)
  const isPlace = (path: string) =>
    environment.home.COUNTERSIGN_HOME === undefined ? isNamedAfterUs(path) : hasTrust
  const folder = (what: Removal['what'], path: string, looksLikeIt: (names: readonly string[]) => boolean) =>
    found(what, path, (names) => {
      // Where data, settings and state share one folder, the data decides.
      const holdsData = existsSync(paths.data) && holds(path, paths.data)
      return (holdsData ? hasTrust : isPlace(path)) && (names.length === 0 || looksLikeIt(names))
    })
  const wanted: Removal[] = [
    ...completionFiles(environment)
      .filter(({ path }) => isOurCompletion(path))
      .map(({ path }) => ({ what: 'completion' as const, path })),
    ...folder('run', paths.run, () => true),
    ...folder('cache', environment.cache, (names) => names.some((name) => /^v\d+\.|^gateway$/.test(name))),
    ...(keepData
      ? folder('state', paths.logs, () => true)
      : [
          ...folder('state', paths.state, (names) =>
            names.some((name) => /^(logs|vault|doctor-backup-)/.test(name)),
          ),
          ...folder('config', config, (names) =>
            names.some((name) => ['config.json', 'policy.d', 'service.env'].includes(name)),
          ),
          ...found('database', databaseOfRoot(paths, options.systemFolder), () => true),
          ...folder('data', paths.data, () => true),
        ]),
  ]
  const distinct = wanted.filter((one, at) => wanted.findIndex(({ path }) => path === one.path) === at)
  const remove = distinct.filter(({ path }) => !isLink(path) && !kept.some((one) => holds(path, one.path)))
  const present = [config, paths.data, paths.state, environment.cache, paths.run].filter((path) =>
    existsSync(path),
  )
  const unlike = present.filter(
    (path) =>
      !keepData && !distinct.some((one) => one.path === path || holds(one.path, path)) && !isLink(path),
  )
  return {
    remove,
    leave: [
      ...kept.filter(({ path }) => existsSync(path)),
      ...distinct
        .filter(({ path }) => isLink(path))
        .map(({ path }) => ({ path, because: 'a link; remove it and its target yourself' })),
      ...unlike.map((path) => ({ path, because: 'does not look like a folder of Countersign' })),
      ...(!holds(paths.data, paths.workspace) && existsSync(paths.workspace)
        ? [{ path: paths.workspace, because: 'the workspace is kept' }]
        : []),
    ],
  }
}

/** A folder that is there and shows by its content that it is ours. */
function found(
  what: Removal['what'],
  path: string,
  isOurs: (names: readonly string[]) => boolean,
): Removal[] {
  if (!existsSync(path) || !lstatSync(path).isDirectory()) return isLink(path) ? [{ what, path }] : []
  return isOurs(readdirSync(path)) ? [{ what, path }] : []
}

/** Whether the data are those of a gateway: its trust file names one. */
function namesGateway({ data, trust }: HomePaths): boolean {
  if (isLink(data) || lstatSync(trust, { throwIfNoEntry: false })?.isFile() !== true) return false
  try {
    const { gateway } = JSON.parse(readFileSync(trust, 'utf8')) as { gateway?: { id?: unknown } }
    return GatewayId.safeParse(gateway?.id).success
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}

/** The folders of the system are shared with others; ours in them has our name, or lies in one that has. */
function isNamedAfterUs(path: string): boolean {
  return [path, dirname(path)].some((each) => basename(each) === 'countersign')
}

function isOurCompletion(path: string): boolean {
  return existsSync(path) && /^#.*countersign/.test(readFileSync(path, 'utf8'))
}

/** Under root the data may lie in the system's folder, in one that is named after the home. */
function databaseOfRoot({ database }: HomePaths, systemFolder = '/var/lib/countersign'): string {
  return join(systemFolder, createHash('sha256').update(database).digest('hex').slice(0, 16))
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

/** Whether the inner path is the outer one or lies in it. */
function holds(outer: string, inner: string): boolean {
  const way = relative(outer, inner)
  return way === '' || (!way.startsWith('..') && !way.startsWith('/'))
}
