/** Owns how the file tools turn a path into a resource. */
import { Buffer } from 'node:buffer'
import type { Effect, FileResource, JsonObject } from '@countersign/contract'
import type { Found } from '../definition.ts'
import type { Written } from '../hands.ts'
import type { FileSight, FoundPlace, Look } from '../look.ts'
import type { HostRun } from './host-run.ts'
import { hostRunOf, type NamedThing } from './host-run-match.ts'

export type SeenFile = Extract<FileSight, { kind: 'absent' | 'file' | 'directory' }>

export interface Seen {
  readonly kind: 'seen'
  readonly place: FoundPlace
  readonly sight: SeenFile
}

/**
 * Looks at a path of the workspace, or gives the answer that ends the resolution. A path that leads through a symbolic
 * link is refused with the real one: the path in the call, on the card and in the permit is then the one that is opened.
 */
export async function see(path: string, look: Look): Promise<Seen | Exclude<Found, { kind: 'found' }>> {
  const seen = await seeThroughLinks(path, look)
  if (seen.kind !== 'seen' || seen.sight.path === seen.place.path) return seen
  const { path: real } = seen.sight
  return { kind: 'invalid', reason: `${path} leads through a symbolic link. It really is ${real}: use that.` }
}

/** The same for a tool that only looks. What it is told about is the real path. */
export async function seeThroughLinks(
  path: string,
  look: Look,
): Promise<Seen | Exclude<Found, { kind: 'found' }>> {
  const place = look.place(path)
  if (place.root === 'nowhere') return { kind: 'invalid', reason: place.reason }
  // Before any look: whether something is there is not told about the rest of the host.
  if (place.root === 'host') return outside(path)
  const sight = await look.file(place)
  if (sight.kind === 'refused') return { kind: 'invalid', reason: sight.reason }
  if (sight.kind === 'unavailable') return sight
  return { kind: 'seen', place, sight }
}

export function fileResource(op: FileResource['op'], { sight }: Pick<Seen, 'sight'>): FileResource {
  return {
    type: 'file',
    root: 'workspace',
    path: sight.path,
    op,
    identity: sight.kind === 'absent' ? 'absent' : sight.identity,
    content: sight.kind === 'file' ? sight.content : null,
  }
}

/** What only looks stays inside, wherever in the workspace it is. */
export function lookEffect(verb: 'read' | 'list', { sight }: Seen): Effect {
  return { verb, object: sight.path, scope: 'inside', reversible: true, outward: false, leaves: [] }
}

/** A change of what programs on the host run acts outside the workspace, and says so. */
export function changeEffect(
  verb: 'write' | 'delete',
  { sight }: Seen,
  reversible: boolean,
  thing: NamedThing = 'file',
): Effect {
  const run = sight.besideHead ? bareRepository : hostRunOf(sight.path, thing)
  return {
    verb,
    object: run ? `${sight.path} (${run.program} ${run.when})` : sight.path,
    scope: run ? scopes[run.runs] : 'inside',
    reversible,
    outward: false,
    leaves: [],
  }
}

const scopes = { 'by-itself': 'boundary', 'when-started': 'host-run' } as const

const bareRepository: Omit<HostRun, 'paths'> = {
  runs: 'by-itself',
  program: 'git',
  when: 'may take the folder for a repository, because it holds HEAD, and runs what its settings say',
}

export function outside(path: string): Exclude<Found, { kind: 'found' }> {
  return { kind: 'invalid', reason: `${path} is outside the workspace. Only read_file reaches there.` }
}

/** A file larger than this is not carried in an undo, so replacing it counts as irreversible. */
export const largestUndo = 512 * 1024

export function isReplaceable(sight: SeenFile): boolean {
  return sight.kind === 'absent' || (sight.kind === 'file' && sight.size <= largestUndo)
}

/** The call that puts back what was there before a write. */
export function undoOf(
  path: string,
  present: string,
  { before, made }: Written,
): { tool: string; args: JsonObject } | undefined {
  if (before.kind === 'too-large') return undefined
  if (before.kind === 'nothing')
    return { tool: 'restore_file', args: { path, expected: present, content: null, folders: made } }
  if (before.bytes.length > largestUndo) return undefined
  const content = Buffer.from(before.bytes).toString('base64')
  return { tool: 'restore_file', args: { path, expected: present, content, mode: before.mode } }
}
