/** Finds the numbers of a text. */
import { z } from 'zod'
import { text } from './bounds.ts'
import { answer, computing } from './computing.ts'

export const extractNumbers = computing({
  name: 'extract_numbers',
  version: '1',
  description:
    'Extract the numbers of a text in order, with their sum. Points are decimal and commas group thousands, unless decimalComma is set.',
  group: 'extraction',
  tags: [
    'digits',
    'amounts',
    'values',
    'figures',
    'prices',
    'sums of money',
    'mentioned',
    'parse',
    'pull out',
    'phone numbers',
  ],
  input: z.strictObject({ text, decimalComma: z.boolean().default(false) }),
  describe: () => 'Find numbers in a text',
  compute({ text: given, decimalComma }) {
    const found = decimalComma
      ? [...given.matchAll(withComma)].map(([number]) => number.replaceAll('.', '').replace(',', '.'))
      : [...given.matchAll(withPoint)].map(([number]) => number.replaceAll(',', ''))
    const numbers = found.map(Number).filter(Number.isFinite)
    const sum = numbers.reduce((total, number) => total + number, 0)
    return answer({ numbers, sum: Number.isFinite(sum) ? Number(sum.toPrecision(15)) : null })
  },
})

/** A minus belongs to the number only where nothing stands before it: 3-5 are two numbers. Digits in words are none. */
const withPoint =
  /(?<![\p{L}\p{N}_.,-])-?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,300})(?:\.\d{1,300})?(?![\p{L}\d_])|(?<=\d-)\d{1,300}(?:\.\d{1,300})?(?![\p{L}\d_])/gu
const withComma =
  /(?<![\p{L}\p{N}_.,-])-?(?:\d{1,3}(?:\.\d{3})+(?!\d)|\d{1,300})(?:,\d{1,300})?(?![\p{L}\d_])|(?<=\d-)\d{1,300}(?:,\d{1,300})?(?![\p{L}\d_])/gu
