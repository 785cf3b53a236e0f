/** Reads a file of the folder that a node shares. Refuses half of what is no text. */
import { Buffer } from 'node:buffer'
import { z } from 'zod'
import { clipped } from '../code/clip.ts'
import { defineTool } from '../definition.ts'
import { failed, sizeOf, succeeded, textOf } from '../result.ts'
import { pathText } from '../text.ts'
import { foundOnNode, nodeInput, seeOnNode } from './device-effects.ts'
import { fileTool, mostTextBytes, otherComputer } from './device-tool.ts'

const mostBinaryBytes = 256 * 1024

export const deviceReadFile = defineTool({
  ...fileTool,
  runs: 'node',
  name: 'device_read_file',
  version: '1',
  description: 'Read a file that another computer of the operator shares.',
  input: z.strictObject({
    ...nodeInput,
    path: pathText.describe('In the shared folder'),
    encoding: z.enum(['text', 'base64']).default('text'),
  }),
  tags: [...otherComputer, 'open', 'fetch', 'cat'],
  effect: 'pure',
  floor: 0,
  describe: ({ node, path }) => `Read ${path} on ${node}`,
  preview: ({ node, path }) => ({ kind: 'text', title: `Read file on ${node}`, text: path }),
  async effects({ node, path }, inspect) {
    const seen = await seeOnNode({ node, path, links: 'followed' }, inspect)
    if (seen.kind !== 'seen') return seen
    if (seen.inspection.kind === 'absent') return { kind: 'invalid', reason: `${path} does not exist there.` }
    if (seen.inspection.kind === 'directory')
      return { kind: 'invalid', reason: `${path} is a folder. Use device_list_files.` }
    const { content } = seen.inspection
    const thing = { capability: 'files', op: 'read', object: seen.path, content } as const
    return foundOnNode({ node }, inspect, thing, { verb: 'read', object: seen.path, reversible: true })
  },
  async run({ node, path, encoding }, { files: folder }) {
    const most = encoding === 'text' ? mostTextBytes : mostBinaryBytes
    const outcome = await folder.read(path, most)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const { bytes, size } = outcome
    const summary = `Read ${path} on ${node} (${sizeOf(size)})`
    if (encoding === 'text') return succeeded(clipped(textOf(bytes), size > bytes.length), summary)
    // Half of a picture is of no use.
    if (size > bytes.length)
      return failed(`${path} has ${sizeOf(size)}; base64 takes ${sizeOf(most)} at most.`)
    return succeeded(Buffer.from(bytes).toString('base64'), summary)
  },
})
