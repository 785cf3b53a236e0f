/** Puts a text into the clipboard of a node. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { foundOnNode, nodeInput } from './device-effects.ts'
import { desktopTool, otherComputer } from './device-tool.ts'

const mostClipboard = 100_000

export const deviceWriteClipboard = defineTool({
  ...desktopTool,
  runs: 'node',
  name: 'device_write_clipboard',
  version: '1',
  description: 'Put a text into the clipboard of another computer of the operator.',
  input: z.strictObject({
    ...nodeInput,
    text: z
      .string()
      .min(1)
      .max(mostClipboard)
      .refine((text) => text.isWellFormed(), 'is not well-formed text'),
  }),
  tags: [...otherComputer, 'clipboard', 'copy'],
  effect: 'idempotent',
  floor: 3,
  capability: 'clipboard',
  describe: ({ node, text }) => `Put ${text.length} characters into the clipboard of ${node}`,
  preview: ({ node, text }) => ({ kind: 'text', title: `Into the clipboard of ${node}`, text }),
  effects: ({ node }, inspect) =>
    foundOnNode(
      { node },
      inspect,
      { capability: 'clipboard', op: 'write', object: '', content: null },
      { verb: 'write', object: 'the clipboard', reversible: false },
    ),
  async run({ node, text }, { desktop: clipboard }, signal) {
    const outcome = await clipboard.writeClipboard(text, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `Put a text into the clipboard of ${node}`
    return succeeded(summary, summary)
  },
})
