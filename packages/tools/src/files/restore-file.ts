/** Takes back a write: puts the earlier content in place, or removes a file that was new. Not offered to models. */
import { Buffer } from 'node:buffer'
import { sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { changeEffect, fileResource, fileUndo, inspectFile } from './file-effects.ts'

export const restoreFile = defineTool({
  name: 'restore_file',
  version: '3',
  description: 'Put the earlier content of a file back.',
  input: z.strictObject({
    path: pathText,
    expected: z.union([z.literal('absent'), z.string().regex(/^[0-9a-f]{64}$/)]),
    content: z.base64().nullable(),
    mode: z.int().min(0).max(0o777).nullable().default(null),
    folders: z.int().min(0).max(64).default(0),
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
  undo: 'restore_file',
  describe: ({ path, content }) => (content === null ? `Remove ${path} again` : `Restore ${path}`),
  preview: ({ path, content }) =>
    content === null
      ? { kind: 'text', title: 'Remove file', text: path }
      : { kind: 'write', path, content: Buffer.from(content, 'base64').toString('utf8') },
  async effects({ path, expected, content }, inspect) {
    const seen = await inspectFile(path, inspect)
    if (seen.kind !== 'seen') return seen
    const { inspection } = seen
    const present = inspection.kind === 'file' ? inspection.content : inspection.kind
    if (present !== expected) {
      return { kind: 'invalid', reason: `${path} has changed since; restoring it would lose that change.` }
    }
    return {
      kind: 'found',
      resources: [fileResource(content === null ? 'delete' : 'write', seen)],
      effects: [changeEffect('write', seen, true)],
    }
  },
  async run({ path, content, mode, folders }, capabilities) {
    const location = capabilities.files.locate(path)
    if (location.root === 'nowhere') return failed(location.reason)
    const bytes = content === null ? null : Buffer.from(content, 'base64')
    const outcome = await capabilities.files.write(location, bytes, { mode, folders })
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = bytes === null ? `Removed ${path}` : `Restored ${path}`
    return succeeded(summary, summary, fileUndo(path, bytes === null ? 'absent' : sha256Hex(bytes), outcome))
  },
})
