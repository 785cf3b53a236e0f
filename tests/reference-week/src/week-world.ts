/**
 * Owns a world that is only good for looking: enough of a workspace, of the net and of records that a tool can say
 * what a call would touch. Nothing can be done in it, and the same call is always seen the same.
 */
import { posix } from 'node:path'
import type { JsonObject, UrlResource } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import {
  builtinTools,
  credentialAt,
  type EffectsResult,
  type FileInspection,
  type FileLocation,
  type Inspector,
  parseArgs,
  type ResolvedPath,
  type ToolDefinition,
  type UrlInspection,
} from '@countersign/tools'
import {
  createMemoryRecords,
  createRecordToolRunner,
  type RecordToolRunner,
} from '@countersign/tools/testing'
import type { Person } from './call.ts'

export interface World {
  readonly person: Person
  readonly runner: RecordToolRunner
}

/** The records that the calls speak of carry their title in their id, so that none must be listed here. */
const collectionOf: Readonly<Record<string, string>> = {
  task: 'tasks',
  note: 'notes',
  event: 'events',
  contact: 'contacts',
  bookmark: 'bookmarks',
  mem: 'memories',
}

export async function createWorld(person: Person, ids: readonly string[]): Promise<World> {
  const records = createMemoryRecords()
  for (const [table, columns] of Object.entries(person.tables)) {
    await records.insert('custom_tables', table, { columns: columns.map((name) => ({ name })) }, null)
    for (const id of ids.filter((id) => id.startsWith('row_')))
      await records.insert(`table:${table}`, id, {}, null)
  }
  for (const id of ids) {
    const collection = collectionOf[id.slice(0, id.indexOf('_'))]
    if (collection) await records.insert(collection, id, dataOf(collection, id), null)
  }
  return { person, runner: createRecordToolRunner({ records }) }
}

export function definitionOf(tool: string): ToolDefinition | undefined {
  return builtinTools.find(({ name }) => name === tool)
}

/** What the tool's own definition finds, or nothing where that takes more of a world than this one. */
export async function findIn(
  world: World,
  tool: string,
  args: JsonObject,
): Promise<EffectsResult | undefined> {
  const definition = definitionOf(tool)
  if (!definition) return undefined
  const parsed = parseArgs(definition, args)
  if (parsed.kind === 'invalid') return { kind: 'invalid', reason: parsed.problems.join('; ') }
  switch (definition.runs) {
    case 'executor':
      return definition.effects(parsed.args, createInspector(world.person, madeBy(tool, args)))
    case 'gateway':
      return world.runner.resolve(definition, args)
    case 'operator':
      return {
        kind: 'found',
        resources: [],
        effects: [
          {
            verb: 'ask',
            object: 'the operator',
            scope: 'inside',
            reversible: true,
            outward: false,
            leaves: [],
          },
        ],
      }
    case 'unwrapped':
      return undefined
  }
}

/** Ids in the arguments of a call that a record must be there for. */
export function idsIn(args: JsonObject): string[] {
  return [
    ...JSON.stringify(args).matchAll(/"((?:task|note|event|contact|bookmark|row|mem)_[0-9a-z-]+)"/g),
  ].map(([, id]) => id ?? '')
}

const hashOf = (text: string) => sha256Hex(text)

/** What a call makes, and so is not there before it. */
function madeBy(tool: string, args: JsonObject): string | undefined {
  const made = { move_file: args['destination'], create_folder: args['path'], download_file: args['path'] }[
    tool
  ]
  return typeof made === 'string' ? made : undefined
}

function createInspector(person: Person, absent: string | undefined): Inspector {
  return {
    environment: hashOf('environment'),
    locate: (path) => locatePath(path, person.workspace),
    file: (location) =>
      Promise.resolve(
        location.path === absent ? { kind: 'absent', ...whereOf(location) } : sightOf(location, person),
      ),
    hostFile: (path) =>
      Promise.resolve({
        kind: 'host',
        path,
        identity: { device: '1', inode: '1' },
        content: hashOf(path),
        credential: credentialAt(path, posix.dirname(person.workspace)),
      }),
    text: (location) =>
      Promise.resolve({
        kind: 'text',
        text: textOf(location),
        content: contentOf(location),
        truncated: false,
      }),
    program: (name) => {
      const path = name.startsWith('/') ? name : `/usr/bin/${name}`
      return Promise.resolve({ path, content: hashOf(path) })
    },
    url: seeUrl,
  }
}

export function locatePath(path: string, root: string): ResolvedPath {
  const home = posix.dirname(root)
  const written = path === '~' || path.startsWith('~/') ? posix.join(home, path.slice(1)) : path
  const inside = posix.isAbsolute(written) ? posix.relative(root, written) : posix.normalize(written)
  const leaves = inside === '..' || inside.startsWith('../')
  if (!posix.isAbsolute(written) && leaves)
    return { root: 'nowhere', reason: `${path} leads out of the workspace.` }
  if (leaves) return { root: 'host', path: posix.normalize(written) }
  return { root: 'workspace', path: inside.replace(/\/$/, '') || '.' }
}

function sightOf(location: FileLocation, person: Person): FileInspection {
  const { path } = location
  const identity = { device: '1', inode: String(Number.parseInt(hashOf(path).slice(0, 8), 16)) }
  const isGitState = /(^|\/)\.git\/(commondir|packed-refs|[A-Z_]+_HEAD)$/.test(path)
  const where = whereOf(location)
  if (isGitState) return { kind: 'absent', ...where }
  if (isFolder(path, person)) return { kind: 'directory', identity, ...where }
  const size = person.largeFiles.includes(path) ? 40_000_000 : 4_000
  return { kind: 'file', identity, content: contentOf(location), size, ...where }
}

const whereOf = ({ path }: FileLocation) => ({ path, besideHead: false })

/** A name without an ending is a folder; the few files that have none are known. */
function isFolder(path: string, { repositories, folders }: Person): boolean {
  if (path === '.' || folders.includes(path) || repositories.includes(path)) return true
  const name = posix.basename(path)
  if (name === '.git') return true
  return (
    !name.slice(1).includes('.') &&
    !/(^|\/)(\.git\/.*|Makefile|LICENSE|id_ed25519|passwd|shadow|hosts|authorized_keys|\.[a-z_]+)$/.test(path)
  )
}

const contentOf = (location: FileLocation) => hashOf(textOf(location))

function textOf({ path }: FileLocation): string {
  if (path.endsWith('.git/HEAD')) return 'ref: refs/heads/main\n'
  if (path.endsWith('.git/config')) return '[core]\n\trepositoryformatversion = 0\n'
  if (path.includes('.git/refs/')) return `${hashOf(path).slice(0, 40)}\n`
  return path
}

export function seeUrl(text: string, method: string): UrlInspection {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return { kind: 'refused', reason: 'The address is refused: not http or https.' }
  if (url.username !== '' || url.password !== '')
    return { kind: 'refused', reason: 'The address is refused: it holds a name or a password.' }
  const scheme = url.protocol === 'https:' ? 'https' : 'http'
  const addressClass = classOf(url.hostname)
  if (addressClass !== 'name' && addressClass !== 'public')
    return { kind: 'refused', reason: `${url.hostname} is a ${addressClass} address.` }
  const port = url.port === '' ? (scheme === 'https' ? 443 : 80) : Number(url.port)
  if (port !== 80 && port !== 443) return { kind: 'refused', reason: `Port ${port} is closed.` }
  return {
    kind: 'url',
    resource: {
      type: 'url',
      scheme,
      host: url.hostname,
      port,
      method,
      addressClass,
      redirects: 'refused',
      carries: 'address',
    },
  }
}

function classOf(host: string): UrlResource['addressClass'] {
  if (host === 'localhost' || host.startsWith('127.') || host === '[::1]') return 'loopback'
  if (!/^[\d.]+$/.test(host)) return 'name'
  if (host.startsWith('169.254.')) return 'link-local'
  return /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(host) ? 'private' : 'public'
}

function dataOf(collection: string, id: string): JsonObject {
  const title = id.slice(id.indexOf('_') + 1)
  switch (collection) {
    case 'contacts':
      return { name: title }
    case 'bookmarks':
      return { url: `https://${title}.example/`, title }
    case 'memories':
      return {
        content: title,
        type: 'fact',
        importance: 0.5,
        tags: [],
        status: 'active',
        pinned: false,
        source: { kind: 'said' },
      }
    default:
      return { title, content: title, description: title, startTime: '2026-03-03T10:00:00' }
  }
}
