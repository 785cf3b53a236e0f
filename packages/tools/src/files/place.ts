/** Owns how the file tools turn a path into a resource. */
import { Buffer } from 'node:buffer'
import type { Effect, FileResource, JsonObject } from '@countersign/contract'
import type { Found } from '../definition.ts'
import type { Before } from '../hands.ts'
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
  return {
    verb,
    object,
    scope: place.root === 'workspace' ? 'inside' : 'boundary',
    reversible,
    outward: false,
    leaves: [],
  }
}

/** A file larger than this is not carried in an undo, so replacing it counts as irreversible. */
export const largestUndo = 512 * 1024

/** The call that puts back what was there before a write. */
export function undoOf(
  path: string,
  present: string,
  before: Before,
): { tool: string; args: JsonObject } | undefined {
  if (before.kind === 'too-large') return undefined
  if (before.kind === 'bytes' && before.bytes.length > largestUndo) return undefined
  const content = before.kind === 'bytes' ? Buffer.from(before.bytes).toString('base64') : null
  return { tool: 'restore_file', args: { path, expected: present, content } }
}
