/** Owns how the file tools turn a path into a resource. */
import { Buffer } from 'node:buffer'
import type { Effect, FileResource, JsonObject } from '@countersign/contract'
import type { Found } from '../definition.ts'
import type { Written } from '../hands.ts'
import type { FileSight, FoundPlace, Look } from '../look.ts'

export type SeenFile = Extract<FileSight, { kind: 'absent' | 'file' | 'directory' }>

/** Looks at the path, or gives the answer that ends the resolution. */
export async function see(
  path: string,
  look: Look,
): Promise<{ kind: 'seen'; place: FoundPlace; sight: SeenFile } | Exclude<Found, { kind: 'found' }>> {
  const place = look.place(path)
  if (place.root === 'nowhere') return { kind: 'invalid', reason: place.reason }
  const sight = await look.file(place)
  if (sight.kind === 'refused') return { kind: 'invalid', reason: sight.reason }
  if (sight.kind === 'unavailable') return sight
  return { kind: 'seen', place, sight }
}

export function fileResource(place: FoundPlace, op: FileResource['op'], sight: SeenFile): FileResource {
  return {
    type: 'file',
    root: place.root,
    path: sight.kind === 'file' ? sight.path : place.path,
    op,
    identity: sight.kind === 'absent' ? 'absent' : sight.identity,
    content: sight.kind === 'file' ? sight.content : null,
  }
}

export function fileEffect(
  place: FoundPlace,
  verb: Effect['verb'],
  object: string,
  reversible: boolean,
): Effect {
  const changes = verb === 'write' || verb === 'delete'
  const isInside = place.root === 'workspace' && !(changes && isInRepository(object))
  return {
    verb,
    object,
    scope: isInside ? 'inside' : 'boundary',
    reversible,
    outward: false,
    leaves: [],
  }
}

/** Outside the sandbox, git runs what hooks and settings in this folder say, as soon as somebody looks there. */
export function isInRepository(path: string): boolean {
  return path.split('/').some((part) => part.toLowerCase() === '.git')
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
