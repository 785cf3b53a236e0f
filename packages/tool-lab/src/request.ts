/** Owns what the lab can be asked for. It is asked once, on standard input, and answers with one JSON document. */
import { z } from 'zod'
import { mostSeed } from './seeded-random.ts'

export const NewRequest = z.strictObject({
  ask: z.literal('new'),
  name: z.string(),
  /** The folder in which the folder of the tool is made. */
  folder: z.string(),
  kind: z.enum(['executor', 'record']),
})
export type NewRequest = z.infer<typeof NewRequest>

export const TestRequest = z.strictObject({
  ask: z.literal('test'),
  /** A file, a folder of a tool, or the name of a built-in tool. */
  target: z.string(),
  /** Where relative paths begin. */
  folder: z.string(),
  /** Where scratch folders are made; whoever asks removes it. */
  scratch: z.string().optional(),
  tool: z.string().optional(),
  args: z.record(z.string(), z.json()).optional(),
  files: z.string().optional(),
  open: z.array(z.strictObject({ host: z.string(), port: z.int() })),
  count: z.int().min(1).max(100_000),
  seed: z.int().min(0).max(mostSeed).optional(),
})
export type TestRequest = z.infer<typeof TestRequest>

export const LabRequest = z.discriminatedUnion('ask', [NewRequest, TestRequest])
