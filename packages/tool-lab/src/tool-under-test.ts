/** Owns a tool under examination: its definition watched, and the one way in which every check asks it something. */
import type { JsonObject, Preview, ToolFacts } from '@countersign/contract'
import type { EffectsResult, ToolDefinition } from '@countersign/tools'
import type { Ambient } from './ambient.ts'

/** What is asked of a tool before a call is decided on. */
export interface ToolUnderTest {
  readonly definition: ToolDefinition
  readonly facts: ToolFacts
  readonly ambient: Ambient
  /** Rejects with what `effects` threw. */
  effects(args: JsonObject): Promise<EffectsResult>
}

export interface CardText {
  readonly headline: string
  readonly preview: Preview
}

/** Throws what the tool throws. */
export function cardOf({ facts, ambient }: ToolUnderTest, args: JsonObject): CardText {
  return ambient.inTool(() => ({ headline: facts.describe(args), preview: facts.preview(args) }))
}

/** Every text of a preview. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
