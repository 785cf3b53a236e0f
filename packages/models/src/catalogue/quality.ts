/**
 * Owns the guess at how far a model is to be trusted with hard questions, from 0 to 100. Nobody publishes that in a
 * form that stays true, so it is made from what is known of every model:
 *
 * - up to 50 for the rank of its output price among the prices of all models that converse;
 * - 25 if it reasons before it answers;
 * - up to 15 for the length of its context, from 8 thousand tokens to a million, on a scale of doublings;
 * - up to 10 for its age where its name tells it: 10 when the data was made, one less for every quarter before. A name
 *   without a date counts as five quarters old.
 *
 * The operator's own figure stands above it.
 */
import type { Capability } from '@countersign/contract'
import { dateIn } from './names.ts'

export interface RatedModel {
  readonly model: string
  readonly capabilities: readonly Capability[]
  readonly context: number | null
  /** Dollars for a million tokens; null where nobody says. */
  readonly outputPrice: number | null
}

export interface Scale {
  /** Of all models, the cheapest first. */
  readonly outputPrices: readonly number[]
  /** When the data was made. */
  readonly date: string
}

export function qualityOf(judged: RatedModel, scale: Scale): number {
  const points =
    50 * rankOf(judged.outputPrice, scale.outputPrices) +
    (judged.capabilities.includes('reasoning') ? 25 : 0) +
    15 * contextShare(judged.context) +
    agePoints(judged.model, scale.date)
  return Math.max(0, Math.min(100, Math.round(points)))
}

/** Which share of the prices is below this one. */
function rankOf(price: number | null, prices: readonly number[]): number {
  if (price === null || prices.length === 0) return 0
  let low = 0
  let high = prices.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((prices[middle] ?? 0) < price) low = middle + 1
    else high = middle
  }
  return low / prices.length
}

function contextShare(context: number | null): number {
  if (context === null) return 0
  return Math.max(0, Math.min(1, Math.log2(context / 8_000) / Math.log2(1_000_000 / 8_000)))
}

function agePoints(model: string, date: string): number {
  const released = dateIn(model)
  if (released === null) return 5
  const quarters = (Date.parse(date) / 86_400_000 - released) / 91
  return Math.max(0, Math.min(10, 10 - Math.floor(quarters)))
}
