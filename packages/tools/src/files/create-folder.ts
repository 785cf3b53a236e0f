/** Makes a folder in the workspace, with those above it. Refuses paths outside. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { changeEffect, fileResource, inspectFile } from './file-effects.ts'

export const createFolder = defineTool({
  name: 'create_folder',
  version: '2',
  description: 'Create a folder in the workspace, with the folders above it.',
  input: z.strictObject({ path: pathText }),
  category: 'files',
  group: 'filesystem',
  tags: ['mkdir', 'directory', 'new folder', 'make folder', 'organize', 'subfolder'],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  undo: 'remove_folder',
  describe: ({ path }) => `Create the folder ${path}`,
  preview: ({ path }) => ({ kind: 'text', title: 'Create folder', text: path }),
  async effects({ path }, inspect) {
    const seen = await inspectFile(path, inspect)
    if (seen.kind !== 'seen') return seen
    if (seen.inspection.kind !== 'absent') return { kind: 'invalid', reason: `${path} exists already.` }
    return {
      kind: 'found',
      resources: [fileResource('write', seen)],
      effects: [changeEffect('write', seen, true, 'new-folder')],
    }
  },
  async run({ path }, capabilities) {
    const location = capabilities.files.locate(path)
    if (location.root === 'nowhere') return failed(location.reason)
    const outcome = await capabilities.files.makeFolder(location)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `Created the folder ${path}`
    return succeeded(summary, summary, { tool: 'remove_folder', args: { path, count: outcome.made } })
  },
})
