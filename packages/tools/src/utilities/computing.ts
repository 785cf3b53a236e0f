/**
 * Owns what every tool that only computes has in common: it touches nothing, needs nobody's leave and ends at once.
 * Refuses an answer that is too long to be of use.
 */
import {
  type Effect,
  type JsonObject,
  type JsonValue,
  type Label,
  operatorLabel,
} from '@countersign/contract'
import type { z } from 'zod'
import { defineTool, type ToolDefinition } from '../definition.ts'
import type { GroupName } from '../groups.ts'
import { failed, succeeded } from '../result.ts'

export type ComputationResult<Value = JsonValue> =
  | { readonly kind: 'answer'; readonly value: Value }
  | { readonly kind: 'refused'; readonly reason: string }

export interface Computation<Args extends JsonObject> {
  readonly name: string
  readonly version: string
  readonly description: string
  /** The folder that it is in, where that is another. */
  readonly category?: string
  readonly group: GroupName
  readonly tags: readonly string[]
  readonly input: z.ZodType<Args>
  describe(args: Args): string
  /** A text is told as it is, anything else as JSON. */
  compute(args: Args): ComputationResult | Promise<ComputationResult>
  /** For what looks at more than its arguments. */
  readonly effects?: readonly Effect[]
  /** For an answer that is worth less, or is more private, than the arguments. */
  readonly output?: Label
  /** Kept out of the line that people are shown. */
  readonly discreet?: boolean
}

export const longestAnswer = 1_000_000

export function answer<Value>(value: Value): ComputationResult<Value> {
  return { kind: 'answer', value }
}

export function refuse(reason: string): { readonly kind: 'refused'; readonly reason: string } {
  return { kind: 'refused', reason }
}

/** A computation adds no content of its own, so its answer is worth what its arguments are worth. */
export function computing<Args extends JsonObject>(computation: Computation<Args>): ToolDefinition {
  const {
    name,
    version,
    description,
    category = 'utilities',
    group,
    tags,
    input,
    effects,
    output,
    discreet,
  } = computation
  const describe = (args: Args) => computation.describe(args)
  return defineTool<Args>({
    name,
    version,
    description,
    input,
    category,
    group,
    tags,
    effect: 'pure',
    floor: 0,
    output: output ?? operatorLabel,
    runs: 'executor',
    sandbox: 'none',
    egress: 'none',
    describe,
    preview: (args) => ({ kind: 'text', title: describe(args), text: JSON.stringify(args, null, 2) }),
    effects: async () => ({ kind: 'found', resources: [], effects: effects ?? [] }),
    async run(args) {
      const outcome = await computation.compute(args)
      if (outcome.kind === 'refused') return failed(outcome.reason)
      const { value } = outcome
      // A text may have been cut between the two halves of a character.
      const text = (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed()
      if (text.length > longestAnswer)
        return failed(`The answer has more than ${longestAnswer} characters. Give less at a time.`)
      return succeeded(text, discreet ? describe(args) : `${describe(args)}: ${brief(text)}`)
    },
  })
}

/** A piece of a text for a headline: one line, and short. */
export function brief(text: string, longest = 60): string {
  const line = text
    .slice(0, longest * 2)
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= longest && text.length <= longest * 2) return line
  return `${line.slice(0, longest - 1)}…`.toWellFormed()
}
