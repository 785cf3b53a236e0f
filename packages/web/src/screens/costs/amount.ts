/** Reads an amount of dollars as people write it: `20`, `$0.50`, `0,5`. Undefined for anything else. */
export function amountIn(text: string): number | undefined {
  const found = /^\$?\s*(\d{1,7}(?:[.,]\d{1,6})?)\s*\$?$/.exec(text.trim())?.[1]
  if (found === undefined) return undefined
  const amount = Number(found.replace(',', '.'))
  return amount <= 1_000_000 ? amount : undefined
}
