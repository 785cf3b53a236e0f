/** Puts back what a change in the folder of a node replaced, as long as nothing changed since. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { nameText, pathText } from '../text.ts'
import { foundOnNode, nodeInput, seeOnNode } from './device-effects.ts'
import { fileTool } from './device-tool.ts'

export const deviceRestoreFile = defineTool({
  ...fileTool,
  runs: 'node',
  name: 'device_restore_file',
  version: '1',
  description: 'Put back what a change on another computer replaced.',
  input: z.strictObject({
    ...nodeInput,
    path: pathText,
    /** As the change left it. */
    expected: z.union([z.literal('absent'), z.string().regex(/^[0-9a-f]{64}$/)]),
    /** Under which the trash there keeps it; null where nothing was there before. */
    kept: nameText(80).nullable(),
  }),
  tags: ['undo'],
  effect: 'idempotent',
  floor: 3,
  hidden: true,
  describe: ({ node, path, kept }) => `${kept === null ? 'Remove' : 'Put back'} ${path} on ${node}`,
  preview: ({ node, path }) => ({ kind: 'text', title: `Put back file on ${node}`, text: path }),
  async effects({ node, path, expected, kept }, inspect) {
    const seen = await seeOnNode({ node, path, links: 'refused' }, inspect)
    if (seen.kind !== 'seen') return seen
    const { inspection } = seen
    const now = inspection.kind === 'file' ? inspection.content : inspection.kind
    if (now !== expected) return { kind: 'invalid', reason: `${path} has changed since.` }
    const content = inspection.kind === 'file' ? inspection.content : null
    const verb = kept === null ? 'delete' : 'write'
    const thing = { capability: 'files', op: verb, object: seen.path, content } as const
    return foundOnNode({ node }, inspect, thing, { verb, object: seen.path, reversible: true })
  },
  async run({ node, path, kept }, { files: folder }) {
    const outcome = kept === null ? await folder.write(path, null) : await folder.restore(path, kept)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `${kept === null ? 'Removed' : 'Put back'} ${path} on ${node}`
    return succeeded(summary, summary)
  },
})
