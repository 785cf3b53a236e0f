/** Writes a file in the workspace, and says how to take it back. Refuses paths outside. */
import { Buffer } from 'node:buffer'
import { sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, sizeOf, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { fileEffect, fileResource, isReplaceable, see, undoOf } from './place.ts'

export const writeFile = defineTool({
  name: 'write_file',
  version: '2',
  description: 'Write a text file in the workspace, replacing it if it exists. Makes missing folders.',
  input: z.strictObject({
    path: pathText,
    content: z.string().refine((text) => text.isWellFormed(), 'is not well-formed text'),
  }),
  category: 'files',
  group: 'filesystem',
  tags: [
    'create',
    'save',
    'save as',
    'edit',
    'replace',
    'put into',
    'make a file',
    'new file',
    'document',
    'store',
    'overwrite',
    'export',
  ],
  effect: 'idempotent',
  listed: true,
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  undo: 'restore_file',
  describe: ({ path, content }) => `Write ${path} (${sizeOf(Buffer.byteLength(content))})`,
  preview: ({ path, content }) => ({ kind: 'write', path, content }),
  async effects({ path }, look) {
    const seen = await see(path, look)
    if (seen.kind !== 'seen') return seen
    const { place, sight } = seen
    if (place.root !== 'workspace')
      return { kind: 'invalid', reason: `${path} is outside the workspace; only reading is possible there.` }
    if (sight.kind === 'directory') return { kind: 'invalid', reason: `${path} is a directory.` }
    const resource = fileResource(place, 'write', sight)
    return {
      kind: 'found',
      resources: [resource],
      effects: [fileEffect(place, 'write', resource.path, isReplaceable(sight))],
    }
  },
  async run({ path, content }, hands) {
    const place = hands.files.place(path)
    if (place.root === 'nowhere') return failed(place.reason)
    const bytes = Buffer.from(content)
    const outcome = await hands.files.write(place, bytes)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `${outcome.before.kind === 'nothing' ? 'Created' : 'Replaced'} ${path} (${sizeOf(bytes.length)})`
    return succeeded(summary, summary, undoOf(path, sha256Hex(bytes), outcome))
  },
})
