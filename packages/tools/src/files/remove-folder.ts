/** Removes an empty folder: by hand, or to take back its making. Refuses one that holds something. Not offered to models. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { changeEffect, fileResource, inspectFile, outside } from './file-effects.ts'

export const removeFolder = defineTool({
  name: 'remove_folder',
  version: '3',
  description: 'Remove empty folders.',
  input: z.strictObject({ path: pathText, count: z.int().min(1).max(64).default(1) }),
  category: 'files',
  group: 'filesystem',
  tags: ['undo', 'rmdir'],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  hidden: true,
  byHand: true,
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  undo: 'create_folder',
  describe: ({ path }) => `Remove the empty folder ${path}`,
  preview: ({ path }) => ({ kind: 'text', title: 'Remove folder', text: path }),
  async effects({ path }, inspect) {
    const seen = await inspectFile(path, inspect)
    if (seen.kind !== 'seen') return seen
    if (seen.location.path === '.') return outside(path)
    if (seen.inspection.kind !== 'directory')
      return { kind: 'invalid', reason: `There is no folder ${path}.` }
    return {
      kind: 'found',
      resources: [fileResource('delete', seen)],
      effects: [changeEffect('delete', seen, true, 'new-folder')],
    }
  },
  async run({ path, count }, capabilities) {
    const location = capabilities.files.locate(path)
    if (location.root === 'nowhere') return failed(location.reason)
    const outcome = await capabilities.files.removeFolder(location, count)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `Removed the folder ${path}`
    return succeeded(summary, summary, { tool: 'create_folder', args: { path } })
  },
})
