/**
 * Reads Ollama's stream line by line before its SDK does, which prints a warning for a line that it cannot read and goes
 * on without it. Refuses such lines, so that nothing of a reply goes missing or is changed unnoticed.
 */
import { z } from 'zod'
import { BodyFault } from './failure.ts'

export interface Lines {
  /** Throws a fault at the first line that is no part of a reply. */
  add(text: string): void
}

/** What the SDK takes. Arguments are only looked at: a copy of them would lose a key named `__proto__`. */
const part = z.object({
  model: z.string(),
  created_at: z.string(),
  done: z.boolean(),
  message: z.object({
    content: z.string(),
    role: z.string(),
    thinking: z.string().optional(),
    tool_calls: z
      .array(
        z.object({
          id: z.string().optional(),
          function: z.object({
            name: z.string(),
            arguments: z.custom<object>((value) => isRecord(value) && !Object.hasOwn(value, '__proto__')),
          }),
        }),
      )
      .nullish(),
  }),
  done_reason: z.string().optional(),
  eval_count: z.number().optional(),
  prompt_eval_count: z.number().optional(),
})
const problem = z.object({ error: z.string() })

export function readLines(): Lines {
  let rest = ''
  return {
    add(text) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) check(line)
    },
  }
}

function check(line: string): void {
  if (line.trim() === '') return
  const value = parsed(line)
  const told = problem.safeParse(value)
  if (told.success) throw new BodyFault({ kind: 'unavailable', message: '' }, told.data.error)
  if (!part.safeParse(value).success) {
    throw new BodyFault({ kind: 'truncated', message: 'A piece of the reply could not be read.' })
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
