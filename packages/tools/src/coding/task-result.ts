/** Owns the form in which the result of a coding agent's task is kept. */
import { z } from 'zod'

export const CodingTaskResult = z.strictObject({
  id: z.string(),
  at: z.string(),
  provider: z.string(),
  prompt: z.string(),
  cwd: z.string(),
  model: z.string(),
  ok: z.boolean(),
  end: z.string(),
  durationMs: z.int(),
  turns: z.int(),
  tokens: z.strictObject({ input: z.int(), output: z.int() }),
  costUsd: z.number().nullable(),
  changed: z.array(z.string()),
  steps: z.array(z.string()),
  text: z.string(),
})
export type CodingTaskResult = z.infer<typeof CodingTaskResult>
