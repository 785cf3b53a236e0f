/** Owns how dollars are written: cents everywhere, and smaller parts only of a price or of what is sealed. */

/** What is less is said to be less, so that it is not taken for nothing. */
export const smallestUsd = 0.01

/** What was or may be spent: `$12.30`, `$0.71`, `<$0.01`. */
export function moneyText(usd: number): string {
  if (!Number.isFinite(usd)) return '$?'
  if (usd < 0) return `-${moneyText(-usd)}`
  return usd > 0 && usd < smallestUsd ? `<$${smallestUsd}` : `$${grouped(usd.toFixed(2))}`
}

/** A price, with the parts of a cent that it has: `$3.00`, `$0.075`. */
export function priceText(usd: number): string {
  if (!Number.isFinite(usd)) return '$?'
  if (usd > 0 && usd < 0.0001) return '<$0.0001'
  return `$${grouped(usd.toFixed(4).replace(/0{1,2}$/, ''))}`
}

/** An amount that a person allows or that stands in the way: small ones as exactly as a price. */
export function dollarText(nanos: number): string {
  const usd = nanos / 1_000_000_000
  return Math.abs(usd) >= 1 || usd <= 0 ? moneyText(usd) : priceText(usd)
}

/** A number with a mark at each thousand. */
export function grouped(digits: string): string {
  const [whole = '', fraction] = digits.split('.')
  const marked = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? marked : `${marked}.${fraction}`
}
