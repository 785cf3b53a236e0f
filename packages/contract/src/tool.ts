/** Owns what the kernel may know of a tool. The code that runs it lives in the executor only. */
import type { Preview } from './card.ts'
import type { JsonObject } from './json/value.ts'
import type { EffectClass, Label, Tier } from './trust.ts'

export interface ToolFacts {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly category: string
  readonly effect: EffectClass
  /** The JSON Schema that the model is shown. */
  readonly schema: JsonObject
  /** Hash over everything that makes the tool what it is; a change voids approvals. */
  readonly definition: string
  /** The tier is never below this, whatever the effects say. */
  readonly floor: Tier
  /** What the tool's output is worth: joined into the label of everything that follows. */
  readonly output: Label
  /** Where the work is done: by an executor, or by the gateway parking the run for the operator. */
  readonly runs: 'executor' | 'operator'
  /** Strict validation with defaults applied; the result is what gets canonicalised. */
  parse(value: unknown): ParsedArgs
  /** A deterministic headline. */
  describe(args: JsonObject): string
  preview(args: JsonObject): Preview
  /** What a tool that the operator answers asks. */
  question?(args: JsonObject): AskedQuestion
  /** A meta-tool gives the inner call; the inner call is what is classified, shown and bound. */
  unwrap?(args: JsonObject): InnerCall
}

export interface AskedQuestion {
  readonly text: string
  readonly choices: readonly string[]
}

export interface InnerCall {
  readonly tool: string
  readonly args: JsonObject
}

export type ParsedArgs =
  | { readonly kind: 'args'; readonly args: JsonObject }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }

export interface ToolCatalogue {
  find(name: string): ToolFacts | undefined
  list(): readonly ToolFacts[]
}
