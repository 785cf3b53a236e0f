/** Moves a file or a folder within the workspace; moving it back is the undo. Refuses to replace anything. */
import { posix } from 'node:path'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { changeEffect, fileResource, outside, see } from './place.ts'

export const moveFile = defineTool({
  name: 'move_file',
  version: '2',
  description: 'Move or rename a file or folder within the workspace. Replaces nothing.',
  input: z.strictObject({ source: pathText, destination: pathText }),
  category: 'files',
  group: 'filesystem',
  tags: [
    'mv',
    'rename',
    'relocate',
    'organize',
    'file away',
    'another folder',
    'into folder',
    'call it',
    'tidy',
    'better name',
    'new name',
    'change name',
  ],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  undo: 'move_file',
  describe: ({ source, destination }) => `Move ${source} to ${destination}`,
  preview: ({ source, destination }) => ({
    kind: 'text',
    title: 'Move',
    text: `${source}\nto ${destination}`,
  }),
  async effects({ source, destination }, look) {
    const from = await see(source, look)
    if (from.kind !== 'seen') return from
    const to = await see(destination, look)
    if (to.kind !== 'seen') return to
    if (from.place.path === '.') return outside(source)
    if (from.sight.kind === 'absent') return { kind: 'invalid', reason: `${source} does not exist.` }
    if (to.sight.kind !== 'absent') {
      const way = to.sight.kind === 'directory' ? 'Name a new path in it' : 'Delete it first'
      return { kind: 'invalid', reason: `${destination} exists. ${way}.` }
    }
    if (to.place.path.startsWith(`${from.place.path}/`))
      return { kind: 'invalid', reason: `${destination} lies within ${source}.` }
    // The undo moves back, and would leave behind a folder that was made on the way.
    const folder = await see(posix.dirname(to.place.path), look)
    if (folder.kind !== 'seen') return folder
    if (folder.sight.kind !== 'directory')
      return { kind: 'invalid', reason: `${folder.place.path} is no folder. Use create_folder first.` }
    const thing = from.sight.kind === 'directory' ? 'moved-folder' : 'file'
    return {
      kind: 'found',
      resources: [fileResource('delete', from), fileResource('write', to)],
      effects: [changeEffect('delete', from, true, thing), changeEffect('write', to, true, thing)],
    }
  },
  async run({ source, destination }, hands) {
    const from = hands.files.place(source)
    const to = hands.files.place(destination)
    if (from.root === 'nowhere') return failed(from.reason)
    if (to.root === 'nowhere') return failed(to.reason)
    const outcome = await hands.files.move(from, to)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `Moved ${source} to ${destination}`
    return succeeded(summary, summary, {
      tool: 'move_file',
      args: { source: destination, destination: source },
    })
  },
})
