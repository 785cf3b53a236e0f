/**
 * Owns a world that is only good for looking: enough of a workspace and of records that a tool can say what a call
 * would touch. Nothing can be done in it.
 */
import { posix } from 'node:path'
import type { JsonObject } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import {
  builtinTools,
  type EffectsResult,
  type FileInspection,
  type FileLocation,
  type Inspector,
  type ToolDefinition,
} from '@countersign/tools'
import {
  createMemoryRecords,
  createRecordToolRunner,
  type RecordToolRunner,
} from '@countersign/tools/testing'
import { gitConfig, gitHead, identityOf, lookBy, sightFrom } from '../sight.ts'
import type { Person } from './labelled-call.ts'

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
  { person, runner }: World,
  tool: string,
  args: JsonObject,
): Promise<EffectsResult | undefined> {
  const definition = definitionOf(tool)
  return definition && lookBy(definition, args, createInspector(person, madeBy(tool, args)), runner)
}

/** Ids in the arguments of a call that a record must be there for. */
export function idsIn(args: JsonObject): string[] {
  return [
    ...JSON.stringify(args).matchAll(/"((?:task|note|event|contact|bookmark|row|mem)_[0-9a-z-]+)"/g),
  ].map(([, id]) => id ?? '')
}

/** What a call makes, and so is not there before it. */
function madeBy(tool: string, args: JsonObject): string | undefined {
  const made = { move_file: args['destination'], create_folder: args['path'], download_file: args['path'] }[
    tool
  ]
  return typeof made === 'string' ? made : undefined
}

function createInspector(person: Person, absent: string | undefined): Inspector {
  return {
    ...sightFrom(person.workspace),
    // Nobody wrote down what its programs changed, so nothing of them could be judged.
    view: false,
    file: (location) =>
      Promise.resolve(
        location.path === absent ? { kind: 'absent', ...whereOf(location) } : sightOf(location, person),
      ),
    text: (location) =>
      Promise.resolve({
        kind: 'text',
        text: textOf(location),
        content: contentOf(location),
        truncated: false,
      }),
  }
}

function sightOf(location: FileLocation, person: Person): FileInspection {
  const { path } = location
  const identity = identityOf(path)
  const isGitState = /(^|\/)\.git\/(commondir|packed-refs|[A-Z_]+_HEAD)$/.test(path)
  const where = whereOf(location)
  if (isGitState) return { kind: 'absent', ...where }
  if (isFolder(path, person)) return { kind: 'directory', identity, ...where }
  const size = person.largeFiles.includes(path) ? 40_000_000 : 4_000
  return { kind: 'file', identity, content: contentOf(location), size, ...where }
}

const whereOf = ({ path }: FileLocation) => ({ path, besideHead: false, repository: null })

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

const contentOf = (location: FileLocation) => sha256Hex(textOf(location))

function textOf({ path }: FileLocation): string {
  if (path.endsWith('.git/HEAD')) return gitHead
  if (path.endsWith('.git/config')) return gitConfig
  if (path.includes('.git/refs/')) return `${sha256Hex(path).slice(0, 40)}\n`
  return path
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
