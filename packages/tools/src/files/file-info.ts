/** Tells what is known about a file of the workspace without showing it. Refuses paths outside. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { fileResource, inspectThroughLinks, readEffect } from './file-effects.ts'
import { mimeTypeOf } from './mime-type.ts'

export const fileInfo = defineTool({
  name: 'file_info',
  version: '2',
  description: 'Tell the size, dates, type and SHA-256 of a file.',
  input: z.strictObject({ path: pathText }),
  category: 'files',
  group: 'filesystem',
  tags: [
    'stat',
    'metadata',
    'size',
    'how big',
    'how large',
    'date',
    'last changed',
    'last modified',
    'when was',
    'created',
    'hash',
    'checksum',
    'mime',
    'exists',
    'take up',
    'space',
  ],
  effect: 'pure',
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  describe: ({ path }) => `Look at ${path}`,
  preview: ({ path }) => ({ kind: 'text', title: 'File info', text: path }),
  async effects({ path }, inspect) {
    const seen = await inspectThroughLinks(path, inspect)
    if (seen.kind !== 'seen') return seen
    if (seen.inspection.kind === 'absent') return { kind: 'invalid', reason: `${path} does not exist.` }
    const op = seen.inspection.kind === 'directory' ? 'list' : 'read'
    return { kind: 'found', resources: [fileResource(op, seen)], effects: [readEffect(op, seen)] }
  },
  async run({ path }, capabilities) {
    const location = capabilities.files.locate(path)
    if (location.root === 'nowhere') return failed(location.reason)
    const outcome = await capabilities.files.info(location)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const { type, size, mode, modified, created, sha256 } = outcome.info
    const lines = [
      `path: ${location.path}`,
      `type: ${type}`,
      ...(type === 'file' ? [`size: ${size} bytes`, `mime: ${mimeTypeOf(path)}`] : []),
      `modified: ${modified.toISOString()}`,
      `created: ${created.toISOString()}`,
      `mode: ${mode.toString(8).padStart(4, '0')}`,
      ...(sha256 === null ? [] : [`sha256: ${sha256}`]),
    ]
    return succeeded(lines.join('\n'), `Looked at ${path}`)
  },
})
