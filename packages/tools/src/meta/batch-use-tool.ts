/** Calls several tools at once. Each call is unwrapped, judged and shown on its own; none waits for another's approval. */
import { type JsonValue, operatorLabel } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { nameText } from '../text.ts'

export const batchUseTool = defineTool({
  name: 'batch_use_tool',
  version: '1',
  description: 'Call several tools at once, by name. Each has its own result.',
  input: z.strictObject({
    operations: z
      .array(
        z.strictObject({
          tool: nameText(64),
          args: z.record(z.string(), z.custom<JsonValue>()).default({}),
        }),
      )
      .min(1)
      .max(20),
  }),
  category: 'meta',
  group: 'core',
  tags: ['several', 'many', 'parallel', 'together', 'at once', 'multiple calls'],
  effect: 'pure',
  floor: 0,
  output: operatorLabel,
  listed: true,
  runs: 'unwrapped',
  describe: ({ operations }) => `Use ${operations.map(({ tool }) => tool).join(', ')}`,
  preview: ({ operations }) => ({
    kind: 'table',
    title: 'Calls',
    columns: ['tool', 'arguments'],
    rows: operations.map(({ tool, args }) => [tool, JSON.stringify(args)]),
  }),
  unwrap: ({ operations }) => ({ kind: 'many', calls: operations }),
})
