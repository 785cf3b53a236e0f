/** Makes a folder in the workspace, with those above it. Refuses paths outside. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { fileEffect, fileResource, outside, see } from './place.ts'

export const createFolder = defineTool({
  name: 'create_folder',
  version: '1',
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
  async effects({ path }, look) {
    const seen = await see(path, look)
    if (seen.kind !== 'seen') return seen
    const { place, sight } = seen
    if (place.root !== 'workspace') return outside(path)
    if (sight.kind !== 'absent') return { kind: 'invalid', reason: `${path} exists already.` }
    const resource = fileResource(place, 'write', sight)
    return {
      kind: 'found',
      resources: [resource],
      effects: [fileEffect(place, 'write', resource.path, true)],
    }
  },
  async run({ path }, hands) {
    const place = hands.files.place(path)
    if (place.root === 'nowhere') return failed(place.reason)
    const outcome = await hands.files.makeFolder(place)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `Created the folder ${path}`
    return succeeded(summary, summary, { tool: 'remove_folder', args: { path, count: outcome.made } })
  },
})
