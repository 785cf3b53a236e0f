/** Says dollars as the web app does: cents, a third place below ten cents, never an exponent. */

const smallest = 0.001
const small = 0.1

/** `$12.30`, `$0.042`, `<$0.001`. */
export function money(usd: number): string {
  if (!Number.isFinite(usd)) return '$?'
  if (usd < 0) return `-${money(-usd)}`
  if (usd === 0) return '$0.00'
  if (usd < smallest) return `<$${smallest}`
  if (usd >= small) return `$${grouped(usd.toFixed(2))}`
  return `$${usd.toFixed(3).replace(/0$/, '')}`
}

/** The price of a model: what goes in and what comes out, per million tokens. */
export function priceWords(price: { readonly input: number; readonly output: number } | null): string {
  if (price === null) return 'unknown'
  if (price.input === 0 && price.output === 0) return 'free'
  return `${money(price.input)} / ${money(price.output)}`
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

/** A whole number with a mark at each thousand. */
export function grouped(digits: string): string {
  const [whole = '', fraction] = digits.split('.')
  const marked = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? marked : `${marked}.${fraction}`
}

function shortened(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '')
}
