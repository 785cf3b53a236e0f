/** Writes a file in the folder that a node shares. What was there is kept in the trash of the node. */
import { Buffer } from 'node:buffer'
import { sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, sizeOf, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { foundOnNode, nodeInput, seeOnNode } from './device-effects.ts'
import { fileTool, mostTextBytes, otherComputer } from './device-tool.ts'

export const deviceWriteFile = defineTool({
  ...fileTool,
  runs: 'node',
  name: 'device_write_file',
  version: '1',
  description: 'Write a text file in the folder that another computer of the operator shares.',
  input: z.strictObject({
    ...nodeInput,
    path: pathText.describe('In the shared folder'),
    content: z
      .string()
      .max(mostTextBytes)
      .refine((text) => text.isWellFormed(), 'is not well-formed text'),
  }),
  tags: [...otherComputer, 'save'],
  effect: 'idempotent',
  floor: 3,
  undo: 'device_restore_file',
  describe: ({ node, path, content }) => `Write ${path} on ${node} (${sizeOf(Buffer.byteLength(content))})`,
  preview: ({ path, content }) => ({ kind: 'write', path, content }),
  async effects({ node, path }, inspect) {
    const seen = await seeOnNode({ node, path, links: 'refused' }, inspect)
    if (seen.kind !== 'seen') return seen
    const { inspection } = seen
    if (inspection.kind === 'directory') return { kind: 'invalid', reason: `${path} is a folder.` }
    const content = inspection.kind === 'file' ? inspection.content : null
    const thing = { capability: 'files', op: 'write', object: seen.path, content } as const
    return foundOnNode({ node }, inspect, thing, { verb: 'write', object: seen.path, reversible: true })
  },
  async run({ node, path, content }, { files: folder }) {
    const bytes = Buffer.from(content)
    const outcome = await folder.write(path, bytes)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const { kept } = outcome
    const summary = `${kept === null ? 'Created' : 'Replaced'} ${path} on ${node} (${sizeOf(bytes.length)})`
    const undo = { tool: 'device_restore_file', args: { node, path, expected: sha256Hex(bytes), kept } }
    return succeeded(summary, summary, undo)
  },
})
