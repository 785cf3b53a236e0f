/** Puts a file into the workspace that the operator sent in parts. Refuses paths outside. Not offered to models. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, sizeOf, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { changeEffect, fileResource, fileUndo, inspectFile, isReplaceable } from './file-effects.ts'

export const writeUpload = defineTool({
  name: 'write_upload',
  version: '1',
  description: 'Write a file that the operator uploaded, replacing it if it exists. Makes missing folders.',
  input: z.strictObject({
    path: pathText,
    // What is decided about is this content and no other.
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    size: z.int().min(0),
  }),
  category: 'files',
  group: 'filesystem',
  tags: ['upload'],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  hidden: true,
  byHand: true,
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  undo: 'restore_file',
  describe: ({ path, size }) => `Write ${path} (${sizeOf(size)})`,
  preview: ({ path, sha256, size }) => ({
    kind: 'text',
    title: 'Write uploaded file',
    text: `${path}\n${sizeOf(size)}, SHA-256 ${sha256}\nIt was uploaded by hand, so its content is not shown.`,
  }),
  async effects({ path }, inspect) {
    const seen = await inspectFile(path, inspect)
    if (seen.kind !== 'seen') return seen
    const { inspection } = seen
    if (inspection.kind === 'directory') return { kind: 'invalid', reason: `${path} is a directory.` }
    return {
      kind: 'found',
      resources: [fileResource('write', seen)],
      effects: [changeEffect('write', seen, isReplaceable(inspection))],
    }
  },
  async run({ path, sha256, size }, capabilities) {
    const { files } = capabilities
    const location = files.locate(path)
    if (location.root === 'nowhere') return failed(location.reason)
    const upload = await files.uploaded(sha256)
    if (upload.kind === 'failed') return failed(upload.reason)
    if (upload.bytes.length !== size)
      return failed(`The upload has ${sizeOf(upload.bytes.length)}, and not ${sizeOf(size)}.`)
    const outcome = await files.write(location, upload.bytes)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    await files.dropUpload(sha256)
    const summary = `${outcome.before.kind === 'nothing' ? 'Created' : 'Replaced'} ${path} (${sizeOf(size)})`
    return succeeded(summary, summary, fileUndo(path, sha256, outcome))
  },
})
