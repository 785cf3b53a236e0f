/** Moves a file or a folder within the workspace; moving it back is the undo. Refuses to replace anything. */
import { posix } from 'node:path'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { changeEffect, fileResource, inspectFile, outside } from './file-effects.ts'

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
  async effects({ source, destination }, inspect) {
    const from = await inspectFile(source, inspect)
    if (from.kind !== 'seen') return from
    const to = await inspectFile(destination, inspect)
    if (to.kind !== 'seen') return to
    if (from.location.path === '.') return outside(source)
    if (from.inspection.kind === 'absent') return { kind: 'invalid', reason: `${source} does not exist.` }
    if (to.inspection.kind !== 'absent') {
      const way = to.inspection.kind === 'directory' ? 'Name a new path in it' : 'Delete it first'
      return { kind: 'invalid', reason: `${destination} exists. ${way}.` }
    }
    if (to.location.path.startsWith(`${from.location.path}/`))
      return { kind: 'invalid', reason: `${destination} lies within ${source}.` }
    // The undo moves back, and would leave behind a folder that was made on the way.
    const folder = await inspectFile(posix.dirname(to.location.path), inspect)
    if (folder.kind !== 'seen') return folder
    if (folder.inspection.kind !== 'directory')
      return { kind: 'invalid', reason: `${folder.location.path} is no folder. Use create_folder first.` }
    const thing = from.inspection.kind === 'directory' ? 'moved-folder' : 'file'
    return {
      kind: 'found',
      resources: [fileResource('delete', from), fileResource('write', to)],
      effects: [changeEffect('delete', from, true, thing), changeEffect('write', to, true, thing)],
    }
  },
  async run({ source, destination }, capabilities) {
    const from = capabilities.files.locate(source)
    const to = capabilities.files.locate(destination)
    if (from.root === 'nowhere') return failed(from.reason)
    if (to.root === 'nowhere') return failed(to.reason)
    const outcome = await capabilities.files.move(from, to)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `Moved ${source} to ${destination}`
    return succeeded(summary, summary, {
      tool: 'move_file',
      args: { source: destination, destination: source },
    })
  },
})
