/** Takes back the making of a folder. Refuses one that holds something. Not offered to models. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { changeEffect, fileResource, outside, see } from './place.ts'

export const removeFolder = defineTool({
  name: 'remove_folder',
  version: '2',
  description: 'Remove empty folders.',
  input: z.strictObject({ path: pathText, count: z.int().min(1).max(64).default(1) }),
  category: 'files',
  group: 'filesystem',
  tags: ['undo', 'rmdir'],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  hidden: true,
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  undo: 'create_folder',
  describe: ({ path }) => `Remove the empty folder ${path} again`,
  preview: ({ path }) => ({ kind: 'text', title: 'Remove folder', text: path }),
  async effects({ path }, look) {
    const seen = await see(path, look)
    if (seen.kind !== 'seen') return seen
    if (seen.place.path === '.') return outside(path)
    if (seen.sight.kind !== 'directory') return { kind: 'invalid', reason: `There is no folder ${path}.` }
    return {
      kind: 'found',
      resources: [fileResource('delete', seen)],
      effects: [changeEffect('delete', seen, true, 'new-folder')],
    }
  },
  async run({ path, count }, hands) {
    const place = hands.files.place(path)
    if (place.root === 'nowhere') return failed(place.reason)
    const outcome = await hands.files.removeFolder(place, count)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `Removed the folder ${path}`
    return succeeded(summary, summary, { tool: 'create_folder', args: { path } })
  },
})
