/** Says what a model costs, how sums compare and how many tokens there were. */
import { grouped, moneyText, priceText } from '@countersign/contract'

export { grouped, moneyText as money, priceText as unitPrice }

/** The price of a model: what goes in and what comes out, per million tokens. */
export function priceWords(price: { readonly input: number; readonly output: number } | null): string {
  if (price === null) return 'unknown'
  if (price.input === 0 && price.output === 0) return 'free'
  return `${priceText(price.input)} / ${priceText(price.output)}`
}

/** How a sum compares with the one before it. */
export function comparison(usd: number, before: number): string {
  if (before === 0) return usd === 0 ? '' : 'nothing before'
  const percent = Math.round(((usd - before) / before) * 100)
  if (percent === 0) return 'as before'
  return `${grouped(String(Math.abs(percent)))} % ${percent > 0 ? 'more' : 'less'} than before`
}

/** Tokens, shortened: 950, 12.4k, 1.2M. */
export function tokens(count: number): string {
  if (count < 1_000) return String(count)
  if (count < 999_500) return `${shortened(count / 1_000)}k`
  return `${shortened(count / 1_000_000)}M`
}

function shortened(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '')
}
