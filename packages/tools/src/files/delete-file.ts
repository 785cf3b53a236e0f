/** Deletes a file of the workspace, and says how to take it back. Refuses folders and paths outside. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { changeEffect, fileResource, isReplaceable, see, undoOf } from './place.ts'

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
  async effects({ path }, look) {
    const seen = await see(path, look)
    if (seen.kind !== 'seen') return seen
    const { sight } = seen
    if (sight.kind === 'absent') return { kind: 'invalid', reason: `${path} does not exist.` }
    if (sight.kind === 'directory')
      return { kind: 'invalid', reason: `${path} is a folder. Delete its files one by one.` }
    return {
      kind: 'found',
      resources: [fileResource('delete', seen)],
      effects: [changeEffect('delete', seen, isReplaceable(sight))],
    }
  },
  async run({ path }, hands) {
    const place = hands.files.place(path)
    if (place.root === 'nowhere') return failed(place.reason)
    const outcome = await hands.files.write(place, null)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    return succeeded(`Deleted ${path}`, `Deleted ${path}`, undoOf(path, 'absent', outcome))
  },
})
