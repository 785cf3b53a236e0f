/** Lists a folder that a node shares. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { foundOnNode, nodeInput, seeOnNode } from './device-effects.ts'
import { fileTool, otherComputer } from './device-tool.ts'

export const deviceListFiles = defineTool({
  ...fileTool,
  runs: 'node',
  name: 'device_list_files',
  version: '1',
  description: 'List a folder of what another computer of the operator shares.',
  input: z.strictObject({
    ...nodeInput,
    path: pathText.default('.').describe('In the shared folder'),
    depth: z.int().min(1).max(5).default(1),
  }),
  tags: [...otherComputer, 'folder', 'ls'],
  effect: 'pure',
  floor: 0,
  describe: ({ node, path }) => `List ${path} on ${node}`,
  preview: ({ node, path }) => ({ kind: 'text', title: `List folder on ${node}`, text: path }),
  async effects({ node, path }, inspect) {
    const seen = await seeOnNode({ node, path, links: 'followed' }, inspect)
    if (seen.kind !== 'seen') return seen
    if (seen.inspection.kind === 'absent') return { kind: 'invalid', reason: `${path} does not exist there.` }
    if (seen.inspection.kind === 'file')
      return { kind: 'invalid', reason: `${path} is a file. Use device_read_file.` }
    const thing = { capability: 'files', op: 'list', object: seen.path, content: null } as const
    return foundOnNode({ node }, inspect, thing, { verb: 'list', object: seen.path, reversible: true })
  },
  async run({ node, path, depth }, { files: folder }) {
    const outcome = await folder.list(path, depth)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const lines = outcome.entries.map(({ path: at, type, size }) => {
      if (type === 'directory') return `${at}/`
      return type === 'file' ? `${at} (${size})` : `${at} [${type}]`
    })
    if (outcome.truncated) lines.push('[more entries were left out]')
    const summary = `Listed ${path} on ${node} (${outcome.entries.length} entries)`
    return succeeded(lines.join('\n') || '(empty)', summary)
  },
})
