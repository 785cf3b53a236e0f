/** Takes back a call that wrote several files: all are as it left them, or nothing is touched. Not offered to models. */
import { Buffer } from 'node:buffer'
import { type Effect, type JsonObject, largestUndo, type Resource } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'
import type { FileWrite } from '../capabilities.ts'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { changeEffect, fileResource, inspectFile, toldEffects } from './file-effects.ts'

const mostFiles = 100

export const restoreFiles = defineTool({
  name: 'restore_files',
  version: '1',
  description: 'Put the earlier content of several files back.',
  input: z.strictObject({
    files: z
      .array(
        z.strictObject({
          path: pathText,
          expected: z.union([z.literal('absent'), z.string().regex(/^[0-9a-f]{64}$/)]),
          content: z.base64().nullable(),
          mode: z.int().min(0).max(0o777).nullable().default(null),
          folders: z.int().min(0).max(64).default(0),
        }),
      )
      .min(1)
      .max(mostFiles),
  }),
  category: 'files',
  group: 'filesystem',
  tags: ['undo', 'revert'],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  hidden: true,
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  undo: 'restore_files',
  describe: ({ files }) => `Put back ${files.length} ${files.length === 1 ? 'file' : 'files'}`,
  preview: ({ files }) => ({
    kind: 'text',
    title: 'Put back files',
    text: files.map(({ path, content }) => `${content === null ? 'Remove' : 'Restore'} ${path}`).join('\n'),
  }),
  async effects({ files }, inspect) {
    const resources: Resource[] = []
    const effects: Effect[] = []
    for (const { path, expected, content } of files) {
      const seen = await inspectFile(path, inspect)
      if (seen.kind !== 'seen') return seen
      const { inspection } = seen
      const present = inspection.kind === 'file' ? inspection.content : inspection.kind
      if (present !== expected)
        return { kind: 'invalid', reason: `${path} has changed since; restoring it would lose that change.` }
      resources.push(fileResource(content === null ? 'delete' : 'write', seen))
      effects.push(changeEffect('write', seen, true))
    }
    return { kind: 'found', resources, effects: toldEffects(effects, effects.length) }
  },
  async run({ files }, capabilities) {
    const done: WrittenFile[] = []
    // From the last to the first, so that folders are empty when their turn comes.
    for (const { path, content, mode, folders } of files.toReversed()) {
      const location = capabilities.files.locate(path)
      const bytes = content === null ? null : Buffer.from(content, 'base64')
      const outcome =
        location.root === 'nowhere'
          ? ({ kind: 'failed', reason: location.reason } as const)
          : await capabilities.files.write(location, bytes, { mode, folders })
      if (outcome.kind === 'failed') {
        const told = `${outcome.reason} ${done.length} of ${files.length} files were put back before it.`
        return failed(told, filesUndo(done))
      }
      done.unshift({ path, present: bytes === null ? 'absent' : sha256Hex(bytes), outcome })
    }
    const summary = `Put back ${files.length} ${files.length === 1 ? 'file' : 'files'}`
    return succeeded(summary, summary, filesUndo(done))
  },
})

export interface WrittenFile {
  readonly path: string
  /** The hash of what is there now, or `absent`. */
  readonly present: string
  readonly outcome: FileWrite
}

/** The call that puts back what was there before several writes; none where there were none, or that is too large. */
export function filesUndo(written: readonly WrittenFile[]): { tool: string; args: JsonObject } | undefined {
  if (written.length === 0) return undefined
  const kept = written.reduce(
    (sum, { outcome: { before } }) => sum + (before.kind === 'bytes' ? before.bytes.length : 0),
    0,
  )
  if (kept > largestUndo || written.some(({ outcome: { before } }) => before.kind === 'too-large'))
    return undefined
  return {
    tool: 'restore_files',
    args: {
      files: written.map(({ path, present, outcome: { before, made } }) =>
        before.kind === 'bytes'
          ? {
              path,
              expected: present,
              content: Buffer.from(before.bytes).toString('base64'),
              mode: before.mode,
            }
          : { path, expected: present, content: null, folders: made },
      ),
    },
  }
}
