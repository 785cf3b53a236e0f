/**
 * Owns what a week happens in: a workspace of names and real records. The definitions of the tools look at it and say
 * what a call would touch; what then runs is done in it, so that later calls see what earlier ones left.
 */
import { posix } from 'node:path'
import {
  changesTaker,
  type FileResource,
  type JsonObject,
  type Label,
  type Records,
  type Resource,
  seesFolder,
  type ToolResult,
  viewedProgramOf,
} from '@countersign/contract'
import {
  builtinTools,
  createCatalogue,
  type EffectsResult,
  type HeldSet,
  heldEffects,
  type ToolDefinition,
} from '@countersign/tools'
import {
  createMemoryRecords,
  createRecordToolRunner,
  type RecordToolRunner,
} from '@countersign/tools/testing'
import type { DeclaredTool, JudgedCall } from '../call.ts'
import { declaredFound } from '../declared.ts'
import { lookBy } from '../sight.ts'
import { type ArgumentReader, readerFor } from './arguments.ts'
import type { PersonFile } from './person.ts'
import type { SourceCall } from './source.ts'
import { createWorkspace, type Workspace } from './workspace.ts'

export interface World {
  readonly workspace: Workspace
  readonly records: Records
  now: Date
  /** The arguments of a written call, with its handles put in. */
  argsOf(call: SourceCall): JsonObject
  look(tool: string, args: JsonObject): Promise<EffectsResult>
  /** What a program that the call runs over a view left, before anybody took it over. */
  heldBy(call: SourceCall, found: FoundCall): Promise<HeldByProgram | null>
  /** Does it, and says what the executor would tell of files and of labels. */
  act(call: SourceCall, args: JsonObject, found: FoundCall, made: Label): Promise<Told>
  idOf(handle: string): string
  isHandle(handle: string): boolean
}

export type FoundCall = Extract<EffectsResult, { kind: 'found' }>

export interface HeldByProgram {
  readonly next: Pick<JudgedCall, 'tool' | 'args' | 'effects' | 'resources'> | null
  /** As the executor would tell it of the program. */
  readonly files: NonNullable<ToolResult['files']>
}

/** What came back with the words of a result. */
export interface Told {
  readonly label: Label | null
  readonly files: ToolResult['files']
}

export interface KnownTools {
  find(name: string): ToolDefinition | DeclaredTool | undefined
  reader(name: string): ArgumentReader | undefined
}

export function createTools(declared: readonly DeclaredTool[]): KnownTools {
  const tools = new Map<string, ToolDefinition | DeclaredTool>()
  for (const tool of [...builtinTools, ...declared]) tools.set(tool.name, tool)
  const readers = new Map<string, ArgumentReader>()
  return {
    find: (name) => tools.get(name),
    reader(name) {
      const tool = tools.get(name)
      const known = readers.get(name) ?? (tool && readerFor(tool))
      if (known) readers.set(name, known)
      return known
    },
  }
}

export const isDeclared = (tool: ToolDefinition | DeclaredTool): tool is DeclaredTool => !('input' in tool)

export function createWorld(person: PersonFile, tools: KnownTools): World {
  const workspace = createWorkspace(person.workspace, person.files)
  const stored = createMemoryRecords(new Date(`${person.monday}T00:00:00.000Z`))
  const inserted: string[] = []
  const records: Records = {
    ...stored,
    insert(collection, id, data, label) {
      inserted.push(id)
      return stored.insert(collection, id, data, label)
    },
  }
  const runner = createRecordToolRunner({ records, catalogue: createCatalogue(builtinTools) })
  const handles = new Map<string, string>()

  function idOf(handle: string): string {
    const id = handles.get(handle)
    if (id === undefined) throw new Error(`Nothing was made under the handle ${handle}.`)
    return id
  }

  return {
    workspace,
    records,
    get now() {
      return runner.now
    },
    set now(now) {
      runner.now = now
      stored.now = now
    },
    idOf,
    isHandle: (handle) => handles.has(handle),
    argsOf({ tool, words }) {
      const reader = tools.reader(tool)
      const filled = words.replaceAll(/@\{([\w-]+)\}/g, (_, handle: string) => idOf(handle))
      return reader ? reader(filled) : {}
    },
    heldBy: (call, found) => heldBy(call, found, workspace),
    look: (tool, args) => look(tools.find(tool), args, workspace, runner),
    async act(call, args, found, made) {
      const tool = tools.find(call.tool)
      const before = inserted.length
      const told = await act({ tool, call, args, found, made, workspace, runner })
      const fresh = inserted.slice(before)
      for (const [index, handle] of call.made.entries()) {
        const id = fresh[index]
        if (id === undefined) throw new Error(`${call.line}: nothing was made for the handle ${handle}.`)
        handles.set(handle, id)
      }
      return told
    },
  }
}

async function look(
  tool: ToolDefinition | DeclaredTool | undefined,
  args: JsonObject,
  workspace: Workspace,
  runner: RecordToolRunner,
): Promise<EffectsResult> {
  if (!tool) return { kind: 'invalid', reason: 'There is no such tool.' }
  if (isDeclared(tool)) {
    const found = declaredFound(tool, args)
    return { ...found, resources: [...found.resources], effects: [...found.effects] }
  }
  const found = await lookBy(tool, args, workspace.inspector, runner)
  return found ?? { kind: 'invalid', reason: 'Write the inner call.' }
}

async function heldBy(
  { wrote, deleted, programs }: SourceCall,
  { resources }: FoundCall,
  workspace: Workspace,
): Promise<HeldByProgram | null> {
  if (!resources.some((resource) => resource.type === 'exec' && resource.view)) return null
  const files = { found: foreignSeen(resources, workspace), changed: [] }
  const removed = deleted.flatMap((path) => workspace.within(path.replace(/\/$/, '')))
  const changed = [...wrote.map((path) => ({ path, op: 'write' as const })), ...removed]
  if (changed.length === 0) return { next: null, files }
  const touched = await Promise.all(
    changed.map(async ({ path, op }): Promise<FileResource> => {
      const seen = await workspace.inspector.file({ root: 'workspace', path: path.replace(/\/$/, '') })
      const identity = 'identity' in seen ? seen.identity : 'absent'
      const content = seen.kind === 'file' ? seen.content : null
      return { type: 'file', root: 'workspace', path: path.replace(/\/$/, ''), op, identity, content }
    }),
  )
  const held: HeldSet = {
    changes: '0'.repeat(32),
    digest: '0'.repeat(64),
    files: touched.map(({ path, op, identity }) => ({
      path,
      change: op === 'delete' ? 'removed' : identity === 'absent' ? 'made' : 'changed',
      kind: wrote.includes(`${path}/`) ? 'folder' : 'file',
      size: 1,
      runs: programs.includes(path),
      mode: null,
      target: null,
      leadsOut: false,
      besideHead: false,
      // Nobody wrote down what was in it, so it counts as nothing that could be looked at.
      text: null,
    })),
    more: 0,
    bytes: touched.length,
  }
  const next = { tool: changesTaker, args: held, effects: heldEffects(held), resources: touched }
  return { next, files }
}

interface Doing {
  readonly tool: ToolDefinition | DeclaredTool | undefined
  readonly call: SourceCall
  readonly args: JsonObject
  readonly found: FoundCall
  /** What the call was made from. */
  readonly made: Label
  readonly workspace: Workspace
  readonly runner: RecordToolRunner
}

async function act({ tool, call, args, found, made, workspace, runner }: Doing): Promise<Told> {
  if (!tool) return { label: null, files: undefined }
  if (!isDeclared(tool) && tool.runs === 'gateway') {
    runner.label = made
    const { result } = await runner.use(tool, args)
    if (result.ok === call.failed)
      throw new Error(`${call.line}: ${tool.name} ${result.ok ? 'did not fail' : `failed: ${result.text}`}`)
    return { label: result.label ?? null, files: undefined }
  }
  const files = traceOf(tool.name, args, found.resources, call, workspace)
  if (!call.failed || call.wrote.length + call.deleted.length > 0)
    change(tool.name, args, found.resources, files.written, call, workspace)
  return { label: null, files: files.told }
}

/** What the executor tells of files: see `packages/executor/src/file-trace.ts`. */
function traceOf(
  tool: string,
  args: JsonObject,
  resources: readonly Resource[],
  call: SourceCall,
  workspace: Workspace,
): { told: ToolResult['files']; written: readonly string[] } {
  const folder = typeof args['cwd'] === 'string' ? args['cwd'] : '.'
  const repository = typeof args['path'] === 'string' ? args['path'] : '.'
  const inFolder = (name: string) => posix.normalize(`${folder}/${name}`)
  if (tool === 'package_manager') {
    const npm = ['node_modules/.package-lock.json', 'package.json', 'package-lock.json']
    const written =
      args['action'] === 'list' || call.failed
        ? []
        : (args['manager'] === 'npm' ? npm : ['python_packages/installed.txt']).map(inFolder)
    return { told: { found: [], changed: [...written] }, written }
  }
  if (tool.startsWith('git_')) {
    const tells =
      ['git_diff', 'git_log', 'git_checkout'].includes(tool) ||
      (tool === 'git_branch' && (args['action'] ?? 'list') === 'list')
    const found = tells ? [posix.normalize(`${repository}/.git`)] : []
    const changes =
      ['git_add', 'git_commit', 'git_checkout'].includes(tool) || (tool === 'git_branch' && !tells)
    const index = changes ? [posix.normalize(`${repository}/.git/index`)] : []
    return { told: { found, changed: [...index, ...call.wrote, ...call.deleted] }, written: call.wrote }
  }
  const isOpaque = resources.some((resource) => resource.type === 'exec' && resource.uninspectable)
  if (!isOpaque) return { told: undefined, written: [] }
  const changed = [...call.wrote, ...call.deleted]
  return { told: { found: foreignSeen(resources, workspace), changed }, written: call.wrote }
}

/** By the rule of the executor: a program over a view sees what it names and what it needs. */
function foreignSeen(resources: readonly Resource[], workspace: Workspace): string[] {
  const program = viewedProgramOf(resources)
  return workspace.foreign().filter((path) => !program || seesFolder(path, program, []))
}

function change(
  tool: string,
  args: JsonObject,
  resources: readonly Resource[],
  written: readonly string[],
  call: SourceCall,
  workspace: Workspace,
): void {
  if (tool === 'move_file') workspace.move(pathIn(args['source']), pathIn(args['destination']))
  else if (tool === 'create_folder') workspace.addFolder(pathIn(args['path']))
  else if (tool === 'git_branch' && args['action'] === 'create')
    workspace.addBranch(pathIn(args['path'] ?? '.'), nameIn(args['name']))
  else
    for (const resource of resources) {
      if (resource.type !== 'file' || resource.root !== 'workspace') continue
      if (resource.op === 'write') workspace.write(resource.path)
      if (resource.op === 'delete') workspace.remove(resource.path)
    }
  for (const path of written)
    if (path.endsWith('/')) workspace.addFolder(path.slice(0, -1))
    else workspace.write(path)
  for (const path of call.deleted) workspace.remove(path.replace(/\/$/, ''))
}

const nameIn = (value: unknown) => (typeof value === 'string' ? value : '')
const pathIn = (value: unknown) => posix.normalize(nameIn(value)).replace(/\/$/, '')
