/** Deletes a file of the workspace, and says how to take it back. Refuses folders and paths outside. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { changeEffect, fileResource, fileUndo, inspectFile, isReplaceable } from './file-effects.ts'

export const deleteFile = defineTool({
  name: 'delete_file',
  version: '2',
  description: 'Delete a file of the workspace. A small one can be restored.',
  input: z.strictObject({ path: pathText }),
  category: 'files',
  group: 'filesystem',
  tags: ['remove', 'rm', 'unlink', 'erase', 'trash', 'throw away', 'bin', 'get rid', 'old file'],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  undo: 'restore_file',
  describe: ({ path }) => `Delete ${path}`,
  preview: ({ path }) => ({ kind: 'text', title: 'Delete file', text: path }),
  async effects({ path }, inspect) {
    const seen = await inspectFile(path, inspect)
    if (seen.kind !== 'seen') return seen
    const { inspection } = seen
    if (inspection.kind === 'absent') return { kind: 'invalid', reason: `${path} does not exist.` }
    if (inspection.kind === 'directory')
      return { kind: 'invalid', reason: `${path} is a folder. Delete its files one by one.` }
    return {
      kind: 'found',
      resources: [fileResource('delete', seen)],
      effects: [changeEffect('delete', seen, isReplaceable(inspection))],
    }
  },
  async run({ path }, capabilities) {
    const location = capabilities.files.locate(path)
    if (location.root === 'nowhere') return failed(location.reason)
    const outcome = await capabilities.files.write(location, null)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    return succeeded(`Deleted ${path}`, `Deleted ${path}`, fileUndo(path, 'absent', outcome))
  },
})
