/** Copies a file within the workspace, and says how to take it back. Refuses folders and paths outside. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import {
  changeEffect,
  fileResource,
  fileUndo,
  inspectFile,
  isReplaceable,
  readEffect,
} from './file-effects.ts'

export const copyFile = defineTool({
  name: 'copy_file',
  version: '2',
  description: 'Copy a file within the workspace, replacing the destination. Makes missing folders.',
  input: z.strictObject({ source: pathText, destination: pathText }),
  category: 'files',
  group: 'filesystem',
  tags: ['cp', 'duplicate', 'clone', 'backup', 'back up', 'copy of', 'second copy', 'spare'],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  undo: 'restore_file',
  describe: ({ source, destination }) => `Copy ${source} to ${destination}`,
  preview: ({ source, destination }) => ({
    kind: 'text',
    title: 'Copy file',
    text: `${source}\nto ${destination}`,
  }),
  async effects({ source, destination }, inspect) {
    const from = await inspectFile(source, inspect)
    if (from.kind !== 'seen') return from
    const to = await inspectFile(destination, inspect)
    if (to.kind !== 'seen') return to
    if (from.inspection.kind !== 'file') {
      const what =
        from.inspection.kind === 'absent' ? 'does not exist' : 'is a folder, and only files are copied'
      return { kind: 'invalid', reason: `${source} ${what}.` }
    }
    if (to.inspection.kind === 'directory')
      return { kind: 'invalid', reason: `${destination} is a folder. Name the file in it.` }
    if (from.location.path === to.location.path)
      return { kind: 'invalid', reason: `${source} and ${destination} are one file.` }
    return {
      kind: 'found',
      resources: [fileResource('read', from), fileResource('write', to)],
      effects: [readEffect('read', from), changeEffect('write', to, isReplaceable(to.inspection))],
    }
  },
  async run({ source, destination }, capabilities) {
    const from = capabilities.files.locate(source)
    const to = capabilities.files.locate(destination)
    if (from.root === 'nowhere') return failed(from.reason)
    if (to.root === 'nowhere') return failed(to.reason)
    const outcome = await capabilities.files.copy(from, to)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `Copied ${source} to ${destination}`
    return succeeded(summary, summary, fileUndo(destination, outcome.sha256, outcome.written))
  },
})
