/** Owns how a file is looked at that a program in the sandbox will make. Refuses to replace one unasked. */
import { posix } from 'node:path'
import type { Effect, FileResource, ToolResult } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import type { ToolCapabilities } from '../capabilities.ts'
import type { EffectsResult } from '../definition.ts'
import { changeEffect, fileResource, fileUndo, inspectFile, isReplaceable } from '../files/file-effects.ts'
import type { Inspector } from '../inspector.ts'
import { failed, sizeOf, succeeded } from '../result.ts'

export interface PlannedFile {
  readonly kind: 'found'
  readonly resource: FileResource
  readonly effect: Effect
}

export async function planFile(
  path: string,
  overwrite: boolean,
  inspect: Inspector,
): Promise<PlannedFile | Exclude<EffectsResult, { kind: 'found' }>> {
  const seen = await inspectFile(path, inspect)
  if (seen.kind !== 'seen') return seen
  const { inspection } = seen
  if (inspection.kind === 'directory') return { kind: 'invalid', reason: `${path} is a folder. Name a file.` }
  if (inspection.kind === 'file' && !overwrite)
    return { kind: 'invalid', reason: `${path} exists already. Name another, or say \`overwrite\`.` }
  return {
    kind: 'found',
    resource: fileResource('write', seen),
    effect: changeEffect('write', seen, isReplaceable(inspection)),
  }
}

/** Puts what the program made in its place, and says how to take it back. */
export async function keepFile(
  { files }: Pick<ToolCapabilities, 'files'>,
  { path, bytes, told }: { path: string; bytes: Uint8Array | undefined; told: string },
): Promise<ToolResult> {
  if (bytes === undefined) return failed('The program made no file.')
  const location = files.locate(path)
  if (location.root === 'nowhere') return failed(location.reason)
  const outcome = await files.write(location, bytes)
  if (outcome.kind === 'failed') return failed(outcome.reason)
  const verb = outcome.before.kind === 'nothing' ? 'Created' : 'Replaced'
  const summary = `${verb} ${path} (${told}, ${sizeOf(bytes.length)})`
  return succeeded(summary, summary, fileUndo(path, sha256Hex(bytes), outcome))
}

/** The end of the name, in lower case and without its dot. */
export function endingOf(path: string): string {
  return posix.extname(path).slice(1).toLowerCase()
}

/** The name without its end. */
export function stemOf(path: string): string {
  return path.slice(0, path.length - posix.extname(path).length)
}
