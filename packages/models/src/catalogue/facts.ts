/** What is known of one model: what it can do, how much it takes, what it costs. */
import type { Capability, ModelPrice } from '@countersign/contract'

export interface ModelFacts {
  /** As the provider names it. */
  readonly model: string
  readonly title: string
  readonly capabilities: readonly Capability[]
  readonly streaming: boolean
  /** Tokens, request and reply together; null where nobody says. */
  readonly context: number | null
  readonly output: number | null
  /** Null where nobody says. */
  readonly price: ModelPrice | null
  /** Other prices for long requests, the shortest first. */
  readonly tiers?: readonly PriceTier[]
  /** Dollars for the call itself, on top of its tokens. */
  readonly perCall?: number
  /** What it is made for; `chat` where nothing is said. */
  readonly serves?: ModelService
  /** From 0 to 100: how far it is trusted with hard questions. */
  readonly quality: number
  readonly overridden: boolean
}

/** What a model is called for. Only `chat` models converse. */
export type ModelService = 'chat' | 'embeddings'

/** Dollars for a million tokens of a whole request once its input is longer than `above` tokens. */
export interface PriceTier {
  readonly above: number
  readonly input: number
  readonly output: number
  readonly cacheRead: number | null
  readonly cacheWrite: number | null
}
