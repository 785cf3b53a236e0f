/** Owns what a provider would charge for what this server answered. */
import type { Protocol, ScriptUsage } from './script.ts'

export interface BilledCall {
  readonly protocol: Protocol
  readonly model: string
  /** What is charged: all of the input, and as much of the output as was sent. */
  readonly usage: ScriptUsage
  readonly sent: 'whole' | 'part' | 'nothing'
  /** The header `x-client-request-id`. */
  readonly requestId: string | null
  /** When the request came, in milliseconds. */
  readonly at: number
}

/** Dollars per million tokens. */
export interface BillPrice {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
}

export type BillPrices = Readonly<Record<string, BillPrice>>

/** A reply without any content costs nothing; one that was cut costs its input and the share of output that was sent. */
export function chargedUsage(usage: ScriptUsage, sent: BilledCall['sent'], share: number): ScriptUsage {
  if (sent === 'whole') return usage
  if (sent === 'nothing') return { input: 0, output: 0, cached: 0, reasoning: 0 }
  return {
    ...usage,
    output: Math.ceil(usage.output * share),
    reasoning: Math.ceil(usage.reasoning * share),
  }
}

/** In dollars. A model without a price is free. */
export function costOf(call: Pick<BilledCall, 'model' | 'usage'>, prices: BillPrices): number {
  const price = prices[call.model]
  if (price === undefined) return 0
  const { input, output, cached } = call.usage
  const fresh = Math.max(0, input - cached)
  return (fresh * price.input + cached * (price.cacheRead ?? price.input) + output * price.output) / 1e6
}
