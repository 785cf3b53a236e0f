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

export const NewPluginRequest = z.strictObject({
  ask: z.literal('new-plugin'),
  name: z.string(),
  /** The folder in which the folder of the plugin is made. */
  folder: z.string(),
  /** It is to be a channel. */
  channel: z.boolean(),
})
export type NewPluginRequest = z.infer<typeof NewPluginRequest>

export const TestPluginRequest = z.strictObject({
  ask: z.literal('test-plugin'),
  folder: z.string(),
  scratch: z.string(),
  /** Puts the tools that it has into its manifest first. */
  write: z.boolean(),
  /** Runs no example of a plugin that asks for hosts. */
  offline: z.boolean(),
})
export type TestPluginRequest = z.infer<typeof TestPluginRequest>

export const LabRequest = z.discriminatedUnion('ask', [
  NewRequest,
  TestRequest,
  NewPluginRequest,
  TestPluginRequest,
])
