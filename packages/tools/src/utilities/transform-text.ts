/** Changes a text as a whole. */
import { z } from 'zod'
import { mostItems, text } from './bounds.ts'
import { answer, brief, computing, refuse } from './computing.ts'
import { firstOfEach, sortBy } from './order.ts'

const operations = [
  'uppercase',
  'lowercase',
  'capitalize',
  'trim',
  'collapse_whitespace',
  'reverse',
  'sort_lines',
  'unique_lines',
  'remove_empty_lines',
  'number_lines',
] as const

export const transformText = computing({
  name: 'transform_text',
  version: '1',
  description:
    'Transform a text: case, trimming, reversing, or its lines. For names in code such as snake_case use change_case.',
  group: 'textUtils',
  tags: [
    'uppercase',
    'lowercase',
    'capitalize',
    'caps',
    'all caps',
    'capital letters',
    'upper case',
    'lower case',
    'small letters',
    'trim',
    'reverse',
    'backwards',
    'whitespace',
    'spaces',
    'lines',
  ],
  input: z.strictObject({ text, operation: z.enum(operations) }),
  describe: ({ text: given, operation }) => `Transform “${brief(given, 40)}”: ${operation}`,
  compute({ text: given, operation }) {
    if (operation === 'sort_lines' && linesOf(given).length > mostItems)
      return refuse(`Only ${mostItems} lines can be sorted at a time.`)
    return answer(transforms[operation](given))
  },
})

const transforms: Record<(typeof operations)[number], (given: string) => string> = {
  uppercase: (given) => given.toUpperCase(),
  lowercase: (given) => given.toLowerCase(),
  capitalize: (given) =>
    given.replace(
      /\p{L}[\p{L}\p{M}\p{N}'’]*/gu,
      ([first = '', ...rest]) => first.toUpperCase() + rest.join(''),
    ),
  trim: (given) => given.trim(),
  collapse_whitespace: (given) => given.replace(/\s+/g, ' ').trim(),
  reverse: (given) => (given.match(character) ?? []).reverse().join(''),
  sort_lines: (given) => sortBy(linesOf(given), (line) => line, false).join('\n'),
  unique_lines: (given) => firstOfEach(linesOf(given), (line) => line).join('\n'),
  remove_empty_lines: (given) =>
    linesOf(given)
      .filter((line) => line.trim() !== '')
      .join('\n'),
  number_lines: (given) =>
    linesOf(given)
      .map((line, index) => `${index + 1}. ${line}`)
      .join('\n'),
}

/** What a reader takes for one: with its marks, skin tone and joined parts, and flags as pairs. */
const character = /(?:\p{RI}{2}|\P{M})(?:\p{M}|\p{Emoji_Modifier}|\u200d\P{M})*|\p{M}+/gu

function linesOf(given: string): string[] {
  return given.split(/\r\n|\n|\r/)
}
