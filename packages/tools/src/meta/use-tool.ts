/** Calls another tool by name. It is unwrapped before anything is decided, so only the inner call is ever judged. */
import { type JsonValue, operatorLabel } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { nameText } from '../text.ts'

export const useTool = defineTool({
  name: 'use_tool',
  version: '1',
  description: 'Call a tool that is not listed, by name.',
  input: z.strictObject({
    tool: nameText(64),
    args: z.record(z.string(), z.custom<JsonValue>()).default({}),
  }),
  category: 'meta',
  group: 'core',
  tags: ['call', 'invoke', 'run tool', 'proxy'],
  effect: 'pure',
  listed: true,
  floor: 0,
  output: operatorLabel,
  runs: 'unwrapped',
  describe: ({ tool }) => `Use ${tool}`,
  preview: ({ tool, args }) => ({ kind: 'text', title: tool, text: JSON.stringify(args, null, 2) }),
  unwrap: ({ tool, args }) => ({ kind: 'one', call: { tool, args } }),
})
