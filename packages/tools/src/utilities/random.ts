/** Owns chance. All of it comes from the operating system, so that nobody can foretell it. */
import { randomBytes, randomInt } from 'node:crypto'

/** A whole number from 0 up to, and without, the bound; each is as likely as the others. */
export function randomBelow(bound: number): number {
  if (bound < 2 ** 48) return randomInt(bound)
  const size = BigInt(bound)
  const ceiling = (1n << 64n) - ((1n << 64n) % size)
  for (;;) {
    const drawn = randomBytes(8).readBigUInt64BE()
    if (drawn < ceiling) return Number(drawn % size)
  }
}

/** From 0 up to, and without, 1. */
export function randomFraction(): number {
  return randomBelow(2 ** 53) / 2 ** 53
}

export function randomOf<Item>(items: readonly Item[]): Item | undefined {
  return items[randomBelow(items.length)]
}

export function shuffled<Item>(items: readonly Item[]): Item[] {
  const deck = [...items]
  for (let last = deck.length - 1; last > 0; last -= 1) {
    const at = randomBelow(last + 1)
    ;[deck[last], deck[at]] = [deck[at] as Item, deck[last] as Item]
  }
  return deck
}

export function randomText(length: number, alphabet: string): string {
  const letters = Array.from(alphabet)
  return Array.from({ length }, () => randomOf(letters)).join('')
}
