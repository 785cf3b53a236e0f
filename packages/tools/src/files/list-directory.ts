/** Lists a folder of the workspace. Refuses folders outside. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { fileResource, inspectThroughLinks, readEffect } from './file-effects.ts'

export const listDirectory = defineTool({
  name: 'list_directory',
  version: '2',
  description: 'List a folder of the workspace.',
  input: z.strictObject({ path: pathText.default('.'), depth: z.int().min(1).max(5).default(1) }),
  category: 'files',
  group: 'filesystem',
  tags: [
    'ls',
    'dir',
    'tree',
    'folder',
    'directory',
    'which files',
    'what files',
    'everything in',
    'contents',
    'browse',
    'documents',
  ],
  effect: 'pure',
  listed: true,
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  describe: ({ path }) => `List ${path}`,
  preview: ({ path }) => ({ kind: 'text', title: 'List folder', text: path }),
  async effects({ path }, inspect) {
    const seen = await inspectThroughLinks(path, inspect)
    if (seen.kind !== 'seen') return seen
    const { inspection } = seen
    if (inspection.kind === 'absent') return { kind: 'invalid', reason: `${path} does not exist.` }
    if (inspection.kind === 'file') return { kind: 'invalid', reason: `${path} is a file. Use read_file.` }
    return { kind: 'found', resources: [fileResource('list', seen)], effects: [readEffect('list', seen)] }
  },
  async run({ path, depth }, capabilities) {
    const location = capabilities.files.locate(path)
    if (location.root === 'nowhere') return failed(location.reason)
    const outcome = await capabilities.files.list(location, depth)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const lines = outcome.entries.map((entry) => {
      if (entry.type === 'directory') return `${entry.path}/`
      return entry.type === 'file' ? `${entry.path} (${entry.size})` : `${entry.path} [${entry.type}]`
    })
    if (outcome.truncated) lines.push('[more entries were left out]')
    return succeeded(lines.join('\n') || '(empty)', `Listed ${path} (${outcome.entries.length} entries)`)
  },
})
