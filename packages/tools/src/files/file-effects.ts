/** Owns how the file tools turn a path into a resource. */
import { Buffer } from 'node:buffer'
import { type Effect, type FileResource, type JsonObject, largestUndo } from '@countersign/contract'
import type { FileWrite } from '../capabilities.ts'
import type { EffectsResult } from '../definition.ts'
import type { FileInspection, FileLocation, Inspector } from '../inspector.ts'
import type { HostRun } from './host-run.ts'
import { hostRunOf, type NamedThing } from './host-run-match.ts'

export type WorkspaceFile = Extract<FileInspection, { kind: 'absent' | 'file' | 'directory' }>

export interface InspectedFile {
  readonly kind: 'seen'
  readonly location: FileLocation
  readonly inspection: WorkspaceFile
}

/**
 * Looks at a path of the workspace, or gives the answer that ends the resolution. A path that leads through a symbolic
 * link is refused with the real one: the path in the call, on the card and in the permit is then the one that is opened.
 */
export async function inspectFile(
  path: string,
  inspect: Inspector,
): Promise<InspectedFile | Exclude<EffectsResult, { kind: 'found' }>> {
  const seen = await inspectThroughLinks(path, inspect)
  if (seen.kind !== 'seen' || seen.inspection.path === seen.location.path) return seen
  const { path: real } = seen.inspection
  return { kind: 'invalid', reason: `${path} leads through a symbolic link. It really is ${real}: use that.` }
}

/** The same for a tool that only looks. What it is told about is the real path. */
export async function inspectThroughLinks(
  path: string,
  inspect: Inspector,
): Promise<InspectedFile | Exclude<EffectsResult, { kind: 'found' }>> {
  const location = inspect.locate(path)
  if (location.root === 'nowhere') return { kind: 'invalid', reason: location.reason }
  // Before any look: whether something is there is not told about the rest of the host.
  if (location.root === 'host') return outside(path)
  const inspection = await inspect.file(location)
  if (inspection.kind === 'refused') return { kind: 'invalid', reason: inspection.reason }
  if (inspection.kind === 'unavailable') return inspection
  return { kind: 'seen', location, inspection }
}

export function fileResource(
  op: FileResource['op'],
  { inspection }: Pick<InspectedFile, 'inspection'>,
): FileResource {
  return {
    type: 'file',
    root: 'workspace',
    path: inspection.path,
    op,
    identity: inspection.kind === 'absent' ? 'absent' : inspection.identity,
    content: inspection.kind === 'file' ? inspection.content : null,
    ...((op === 'write' || op === 'delete') && inspection.repository !== null
      ? { repository: inspection.repository }
      : {}),
  }
}

/** What only looks stays inside, wherever in the workspace it is. */
export function readEffect(verb: 'read' | 'list', { inspection }: InspectedFile): Effect {
  return { verb, object: inspection.path, scope: 'inside', reversible: true, outward: false, leaves: [] }
}

/** A change of what programs on the host run acts outside the workspace, and says so. */
export function changeEffect(
  verb: 'write' | 'delete',
  { inspection }: { readonly inspection: Pick<WorkspaceFile, 'path' | 'besideHead'> },
  reversible: boolean,
  thing: NamedThing = 'file',
): Effect {
  const run = inspection.besideHead ? bareRepository : hostRunOf(inspection.path, thing)
  return {
    verb,
    object: run ? `${inspection.path} (${run.program} ${run.when})` : inspection.path,
    scope: run ? scopes[run.runs] : 'inside',
    reversible,
    outward: false,
    leaves: [],
  }
}

const mostTold = 20
const strictness = { boundary: 3, 'host-run': 2, opened: 1, inside: 0 } as const

/** What programs of the host run comes first, then what is deleted, so that none of it goes untold where there are many. */
export function toldEffects(all: readonly Effect[], count: number): Effect[] {
  const weight = ({ verb, scope }: Effect) => 2 * strictness[scope] + Number(verb === 'delete')
  const sorted = all.toSorted((one, other) => weight(other) - weight(one))
  const told = sorted.slice(0, mostTold)
  // A deletion counts for itself, whatever else there is.
  const removed = sorted.slice(mostTold).find(({ verb }) => verb === 'delete')
  if (removed && !told.some(({ verb }) => verb === 'delete')) told.splice(mostTold - 1, 1, removed)
  const [first] = told
  const more = count - told.length
  return first && more > 0 ? [...told, { ...first, object: `${more} more files and folders` }] : told
}

const scopes = { 'by-itself': 'boundary', 'when-started': 'host-run' } as const

const bareRepository: Omit<HostRun, 'paths'> = {
  runs: 'by-itself',
  program: 'git',
  when: 'may take the folder for a repository, because it holds HEAD, and runs what its settings say',
}

export function outside(path: string): Exclude<EffectsResult, { kind: 'found' }> {
  return { kind: 'invalid', reason: `${path} is outside the workspace. Only read_file reaches there.` }
}

export function isReplaceable(inspection: WorkspaceFile): boolean {
  return inspection.kind === 'absent' || (inspection.kind === 'file' && inspection.size <= largestUndo)
}

/** The call that puts back what was there before a write. */
export function fileUndo(
  path: string,
  present: string,
  { before, made }: FileWrite,
): { tool: string; args: JsonObject } | undefined {
  if (before.kind === 'too-large') return undefined
  if (before.kind === 'nothing')
    return { tool: 'restore_file', args: { path, expected: present, content: null, folders: made } }
  if (before.bytes.length > largestUndo) return undefined
  const content = Buffer.from(before.bytes).toString('base64')
  return { tool: 'restore_file', args: { path, expected: present, content, mode: before.mode } }
}
