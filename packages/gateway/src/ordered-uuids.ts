/**
 * Owns ids that sort as they were made. What one call adds gets one time, so its ids alone keep the order; those of Node are
 * in order from one millisecond to the next, and within one by chance.
 */
import { randomUUIDv7 } from 'node:crypto'

const timeDigits = 12
const countDigits = 3
/** A count begins in the lower half, so that there is room for as many after it. */
const lowerHalf = 0x7ff

export function orderedUuids(random: () => string = randomUUIDv7): () => string {
  let last = 0n
  return () => {
    const digits = random().replaceAll('-', '')
    const time = digits.slice(0, timeDigits)
    // The digit between them is the version.
    const count = Number.parseInt(digits.slice(timeDigits + 1, timeDigits + 1 + countDigits), 16) & lowerHalf
    const drawn = BigInt(`0x${time}${count.toString(16).padStart(countDigits, '0')}`)
    last = drawn > last ? drawn : last + 1n
    const ordered = last.toString(16).padStart(timeDigits + countDigits, '0')
    const [low, high, counted] = [
      ordered.slice(0, 8),
      ordered.slice(8, timeDigits),
      ordered.slice(timeDigits),
    ]
    return `${low}-${high}-7${counted}-${digits.slice(16, 20)}-${digits.slice(20)}`
  }
}
