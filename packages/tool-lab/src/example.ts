/** Owns the shape of an example: arguments to run a tool with, and what is there before. Refuses other members. */
import type { JsonObject } from '@countersign/contract'
import { z } from 'zod'

const Data = z.record(z.string(), z.json())

export const Example = z.strictObject({
  /** Which tool of the file it is for; the first that a model may call unless it says so. */
  tool: z.string().optional(),
  args: Data,
  /** Files of the workspace, by path. */
  files: z.record(z.string(), z.string()).optional(),
  /** Records of the operator, by collection and id. */
  records: z.record(z.string(), z.record(z.string(), Data)).optional(),
})
export type Example = z.infer<typeof Example>

/** How an author writes it. */
export interface ToolExample {
  readonly tool?: string
  readonly args: JsonObject
  readonly files?: Readonly<Record<string, string>>
  readonly records?: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>
}
