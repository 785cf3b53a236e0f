/** Owns what the kernel may know of a tool. The code that runs it lives in the executor only. */

import type { Preview } from './card.ts'
import type { OperatorId } from './ids.ts'
import type { JsonObject } from './json/value.ts'
import type { NeededKey } from './needed-key.ts'
import type { EffectClass, Label, Requester, Tier } from './trust.ts'

export interface ToolFacts {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly category: string
  readonly group: string
  /** For search only; a model is never shown them. */
  readonly tags: readonly string[]
  readonly effect: EffectClass
  /** The JSON Schema that the model is shown. */
  readonly schema: JsonObject
  /** Hash over everything that makes the tool what it is; a change voids approvals. */
  readonly definition: string
  /** The tier is never below this, whatever the effects say. */
  readonly floor: Tier
  /** What the tool's output is worth: joined into the label of everything that follows. */
  readonly output: Label
  /**
   * Where the work is done: by an executor, by the executor of another computer, by the gateway on the operator's own
   * records, or by the operator, for whose answer the run is parked. What is unwrapped does no work of its own.
   */
  readonly runs: 'executor' | 'node' | 'gateway' | 'operator' | 'unwrapped'
  /** Only the product itself calls it; a model that names it is told that there is no such tool. */
  readonly hidden: boolean
  /** Hidden, and still the work of an agent: tools that the operator accepted stand for it. */
  readonly worksForAgents?: true
  /** Hidden from models, but the operator calls it by hand. */
  readonly byHand?: true
  /** It stands for a call of a hidden tool, as the operator accepted it. Only for what is unwrapped. */
  readonly standsForHidden?: true
  /** Shown to the model with its schema from the start; the others are found by a search. */
  readonly listed: boolean
  /** The tool that takes its effect back. */
  readonly undo: string | null
  readonly rate: Rate | null
  /** Its arguments stay out of the ledger, because what they say may have to be forgotten. */
  readonly discreet?: boolean
  /** Content that shaped the tool itself, and so everything that comes of using it. */
  readonly origin: Origin | null
  /** Secrets without which it does nothing, for a tool that somebody made. */
  readonly needsKeys?: readonly NeededKey[]
  /** Strict validation with defaults applied; the result is what gets canonicalised. */
  parse(value: unknown): ParsedArgs
  /** The secrets that such a call takes to the tool's own service, at an address that no argument says. */
  serviceKeys?(args: JsonObject): readonly string[]
  /** A deterministic headline. */
  describe(args: JsonObject): string
  preview(args: JsonObject): Preview
  /** What a tool that the operator answers asks. */
  question?(args: JsonObject): AskedQuestion
  /** A meta-tool gives the inner calls; each of them is what is classified, shown and bound. */
  unwrap?(args: JsonObject): InnerCalls
}

/** At most so many calls of the tool for one person in a stretch of time. */
export interface Rate {
  readonly calls: number
  readonly seconds: number
}

/** Where a tool that was made in a conversation comes from. */
export interface Origin {
  readonly label: Label
  readonly creator: Requester
}

export type InnerCalls =
  | { readonly kind: 'one'; readonly call: InnerCall }
  | { readonly kind: 'many'; readonly calls: readonly InnerCall[] }

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
  /** Every tool that may be used, hidden ones left out. */
  list(): readonly ToolFacts[]
  /** Why a name that a model used leads nowhere, with what it can do instead. */
  missing(name: string): string
}

/** The tools of one operator as they are now: switches and tools of their own change while the gateway runs. */
export interface ToolSource {
  /** With the state of the operator's settings, where that was just seen; else it is looked up. */
  open(operator: OperatorId, settings?: string): Promise<ToolCatalogue>
}
