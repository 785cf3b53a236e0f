/** Deletes a file of the folder that a node shares. The trash of the node keeps it. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { foundOnNode, nodeInput, seeOnNode } from './device-effects.ts'
import { fileTool, otherComputer } from './device-tool.ts'

export const deviceDeleteFile = defineTool({
  ...fileTool,
  runs: 'node',
  name: 'device_delete_file',
  version: '1',
  description: 'Delete a file that another computer of the operator shares. Its trash keeps it for a month.',
  input: z.strictObject({ ...nodeInput, path: pathText.describe('In the shared folder') }),
  tags: [...otherComputer, 'remove', 'trash'],
  effect: 'idempotent',
  floor: 3,
  undo: 'device_restore_file',
  describe: ({ node, path }) => `Delete ${path} on ${node}`,
  preview: ({ node, path }) => ({ kind: 'text', title: `Delete file on ${node}`, text: path }),
  async effects({ node, path }, inspect) {
    const seen = await seeOnNode({ node, path, links: 'refused' }, inspect)
    if (seen.kind !== 'seen') return seen
    const { inspection } = seen
    if (inspection.kind === 'absent') return { kind: 'invalid', reason: `${path} does not exist there.` }
    if (inspection.kind === 'directory')
      return { kind: 'invalid', reason: `${path} is a folder. Delete its files one by one.` }
    const thing = {
      capability: 'files',
      op: 'delete',
      object: seen.path,
      content: inspection.content,
    } as const
    return foundOnNode({ node }, inspect, thing, { verb: 'delete', object: seen.path, reversible: true })
  },
  async run({ node, path }, { files: folder }) {
    const outcome = await folder.write(path, null)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `Deleted ${path} on ${node}`
    const { kept } = outcome
    const undo = { tool: 'device_restore_file', args: { node, path, expected: 'absent', kept } }
    return succeeded(summary, summary, undo)
  },
})
