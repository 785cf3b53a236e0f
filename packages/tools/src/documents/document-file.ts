/** Owns how a file is looked at that a program in the sandbox will open. Refuses folders and files that are too large. */
import type { Effect, FileResource } from '@countersign/contract'
import type { DocumentQuestion, DocumentResult, Failure, ToolCapabilities } from '../capabilities.ts'
import type { EffectsResult } from '../definition.ts'
import { fileResource, inspectThroughLinks, readEffect } from '../files/file-effects.ts'
import type { Inspector } from '../inspector.ts'
import { sizeOf } from '../result.ts'

/** In bytes. */
export const largestDocument = 25_000_000

export interface FoundDocument {
  readonly kind: 'found'
  readonly resource: FileResource
  readonly effect: Effect
}

export async function findDocument(
  path: string,
  inspect: Inspector,
): Promise<FoundDocument | Exclude<EffectsResult, { kind: 'found' }>> {
  const seen = await inspectThroughLinks(path, inspect)
  if (seen.kind !== 'seen') return seen
  const { inspection } = seen
  if (inspection.kind === 'absent') return { kind: 'invalid', reason: `${path} does not exist.` }
  if (inspection.kind === 'directory') return { kind: 'invalid', reason: `${path} is a folder. Name a file.` }
  if (inspection.size > largestDocument)
    return {
      kind: 'invalid',
      reason: `${path} is ${sizeOf(inspection.size)}; at most ${sizeOf(largestDocument)} are opened.`,
    }
  return { kind: 'found', resource: fileResource('read', seen), effect: readEffect('read', seen) }
}

/** Opens the file, and says which one it was where that fails. */
export async function openDocument<Facts>(
  capabilities: Pick<ToolCapabilities, 'files' | 'documents'>,
  { path, ...question }: DocumentQuestion<Facts> & { readonly path: string | null },
  signal: AbortSignal,
): Promise<DocumentResult<Facts> | Failure> {
  const from = path === null ? null : capabilities.files.locate(path)
  if (from?.root === 'nowhere') return { kind: 'failed', reason: from.reason }
  const outcome = await capabilities.documents.run(question, from, signal)
  if (outcome.kind === 'done' || path === null) return outcome
  return { kind: 'failed', reason: `${path}: ${outcome.reason}` }
}
