/**
 * Owns what a call costs, in whole billionths of a dollar: what it came to, and what it can come to at worst. Refuses
 * to guess low: what is not known is taken to be dear, and every fraction is rounded up.
 */
import type { ModelRequest, ModelUsage } from '@countersign/agent'
import type { ModelPrice } from '@countersign/contract'
import type { ModelFacts, PriceTier } from './facts.ts'
import { countRequestTokens, countTokens, mostRequestTokens, mostTokens } from './tokens.ts'

export type PriceFacts = Pick<ModelFacts, 'price' | 'tiers' | 'perCall'>

/**
 * Counts for a model whose price nobody says, in dollars for a million tokens. Dearer than nearly every model there
 * is, so that a price that comes to be known later is a relief and not a surprise.
 */
export const unknownPrice: ModelPrice = {
  input: 15,
  output: 75,
  cacheRead: null,
  cacheWrite: null,
  source: 'unknown',
  date: '',
}

/**
 * What a call came to. Input from a cache, and input put into one, is charged at its own price, or as plain input where it
 * has none. A long request is charged whole at the price of its tier.
 */
export function costNanos(facts: PriceFacts, usage: ModelUsage): number {
  const cached = tokens(usage.cached)
  const written = tokens(usage.written ?? 0)
  // A provider that reports more of them than input has left them out of the input.
  const input = Math.max(tokens(usage.input), cached + written)
  const output = Math.max(tokens(usage.output), tokens(usage.reasoning))
  const rates = ratesFor(facts, input)
  return nanos(
    (input - cached - written) * rates.input +
      cached * rates.cacheRead +
      written * rates.cacheWrite +
      output * rates.output +
      perCallOf(facts),
  )
}

/**
 * The most that a call can come to: its input as `mostRequestTokens` bounds it, at the dearest price that input can
 * have, and as much output as it may produce.
 */
export function worstNanos(facts: PriceFacts & Pick<ModelFacts, 'output'>, request: ModelRequest): number {
  const input = mostRequestTokens(request)
  const output = Math.min(tokens(request.maxOutputTokens), facts.output ?? Number.POSITIVE_INFINITY)
  return worstNanosOf(facts, { input, output })
}

/** The same for a call whose bounds the caller knows, such as one for embeddings. */
function worstNanosOf(facts: PriceFacts, bound: { readonly input: number; readonly output: number }): number {
  const input = tokens(bound.input)
  const rates = ratesFor(facts, input)
  const dearest = Math.max(rates.input, rates.cacheRead, rates.cacheWrite)
  return nanos(input * dearest + tokens(bound.output) * rates.output + perCallOf(facts))
}

/** Counted by us, for a call whose provider did not say. Nothing is taken to have been cached. */
export async function estimatedUsage(request: ModelRequest, producedText: string): Promise<ModelUsage> {
  const bound = boundedUsage(request, producedText)
  return {
    ...bound,
    input: Math.min(elsewhere(await countRequestTokens(request)), bound.input),
    output: Math.min(elsewhere(await countTokens(producedText)), bound.output),
  }
}

/** The same without waiting for the tokenizer, and never less: for a caller that cannot wait. */
export function boundedUsage(request: ModelRequest, producedText: string): ModelUsage {
  return { input: mostRequestTokens(request), output: mostTokens(producedText), cached: 0, reasoning: 0 }
}

/** Other tokenizers than the one that we count with make up to this many times as many tokens of ordinary text. */
const mostOfOthers = 1.4

function elsewhere(counted: number): number {
  return Math.ceil(counted * mostOfOthers)
}

/** Whole thousandths of a billionth of a dollar for one token, so that sums of them are exact. */
interface Rates {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** Of the plain price and the tiers that the input reaches, each rate is the dearest, so that more never costs less. */
function ratesFor(facts: PriceFacts, input: number): Rates {
  let rates = ratesOf(facts.price ?? unknownPrice)
  for (const tier of facts.tiers ?? []) {
    if (input > tier.above) rates = dearerOf(rates, ratesOf(tier))
  }
  return rates
}

function ratesOf(price: Omit<PriceTier, 'above'>): Rates {
  const input = rate(price.input)
  return {
    input,
    output: rate(price.output),
    cacheRead: price.cacheRead === null ? input : rate(price.cacheRead),
    cacheWrite: price.cacheWrite === null ? input : rate(price.cacheWrite),
  }
}

function dearerOf(one: Rates, other: Rates): Rates {
  return {
    input: Math.max(one.input, other.input),
    output: Math.max(one.output, other.output),
    cacheRead: Math.max(one.cacheRead, other.cacheRead),
    cacheWrite: Math.max(one.cacheWrite, other.cacheWrite),
  }
}

/** Cleared of what is only inexact in binary before it is rounded up. */
function rate(dollarsPerMillion: number): number {
  return Math.ceil(Number((dollarsPerMillion * 1_000_000).toFixed(3)))
}

function perCallOf(facts: PriceFacts): number {
  return Math.ceil((facts.perCall ?? 0) * 1_000_000_000) * 1_000
}

function nanos(thousandths: number): number {
  return Math.min(Math.ceil(thousandths / 1_000), Number.MAX_SAFE_INTEGER)
}

/** Usage comes from outside: anything that is not a count is none. */
function tokens(count: number): number {
  if (count === Number.POSITIVE_INFINITY) return Number.MAX_SAFE_INTEGER
  return Number.isFinite(count) && count > 0 ? Math.ceil(count) : 0
}
