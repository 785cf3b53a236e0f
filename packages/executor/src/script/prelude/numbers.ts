/** Owns sums and chance. Runs inside the machine as source text. */
import type { Host } from './globals.ts'

export function numbers(host: Host): object {
  const sum = (values: readonly unknown[]) =>
    values.reduce<number>((total, value) => total + Number(value), 0)
  const randomInt = (min: unknown = 0, max: unknown = 100) => {
    const [low, high] = [Math.ceil(Number(min)), Math.floor(Number(max))]
    if (!(high >= low))
      throw new RangeError(`There is no whole number from ${String(min)} to ${String(max)}.`)
    return low + Math.floor(host.random() * (high - low + 1))
  }
  return {
    sum,
    randomInt,
    avg: (values: readonly unknown[]) => (values.length === 0 ? 0 : sum(values) / values.length),
    clamp: (value: unknown, min: unknown, max: unknown) =>
      Math.min(Math.max(Number(value), Number(min)), Number(max)),
    round(value: unknown, digits: unknown = 0) {
      // By way of the written number, since 1.005 * 100 is less than 100.5.
      const shifted = Number(`${String(Number(value))}e${String(Number(digits))}`)
      return Number.isNaN(shifted) ? Number(value) : Number(`${Math.round(shifted)}e${-Number(digits)}`)
    },
    generatePassword(length: unknown = 16) {
      const kinds = ['abcdefghijkmnopqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '!#$%&*+-=?@_']
      const count = Math.min(Math.max(Math.floor(Number(length)) || 16, 8), 128)
      const oneOf = (letters: string) => letters[randomInt(0, letters.length - 1)] ?? ''
      for (;;) {
        const password = Array.from({ length: count }, () => oneOf(kinds.join(''))).join('')
        if (kinds.every((kind) => kind.split('').some((letter) => password.includes(letter)))) return password
      }
    },
  }
}
