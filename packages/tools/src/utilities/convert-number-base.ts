/** Writes a whole number in another base. */
import { z } from 'zod'
import { answer, brief, computing, refuse } from './computing.ts'

const base = z.int().min(2).max(36)

export const convertNumberBase = computing({
  name: 'convert_number_base',
  version: '1',
  description: 'Convert a whole number of any size from one base to another, such as 16 to 2.',
  group: 'conversion',
  tags: ['binary', 'hexadecimal', 'octal', 'decimal', 'radix', 'hex', 'bits'],
  input: z.strictObject({ value: z.string().min(1).max(1000), from: base.default(10), to: base }),
  describe: ({ value, from, to }) => `${brief(value, 30)} from base ${from} to base ${to}`,
  compute({ value, from, to }) {
    const [, sign = '', digits = ''] = /^(-?)([0-9a-zA-Z_]+)$/.exec(withoutPrefix(value, from)) ?? []
    let number = 0n
    for (const digit of digits.replaceAll('_', '').toLowerCase()) {
      const worth = letters.indexOf(digit)
      if (worth >= from) return refuse(`${digit} is not a digit of base ${from}.`)
      number = number * BigInt(from) + BigInt(worth)
    }
    if (digits === '') return refuse(`${brief(value)} is not a whole number.`)
    return answer(`${number === 0n ? '' : sign}${number.toString(to)}`)
  },
})

const letters = '0123456789abcdefghijklmnopqrstuvwxyz'

/** `0x` and the like, where they agree with the base. */
function withoutPrefix(value: string, from: number): string {
  const prefix = new Map([
    [16, /^(-?)0x/i],
    [2, /^(-?)0b/i],
    [8, /^(-?)0o/i],
  ]).get(from)
  return prefix ? value.trim().replace(prefix, '$1') : value.trim()
}
