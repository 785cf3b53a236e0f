/** Owns whether a text holds signs that a person does not see and a model reads: controls, marks of direction, fillers, selectors. */
import { UNSAFE_IN_LINES } from './sanitise.ts'

/** Beyond the ends of lines. The selector that makes a sign an emoji is seen by what it does. */
export function holdsHiddenSigns(text: string): boolean {
  return !/^[\t\n\x20-\x7e]*$/.test(text) && UNSAFE_IN_LINES.test(text.replaceAll(seen, '\n'))
}

const seen = /\r\n|(?<=\p{Extended_Pictographic})\ufe0f|(?<=[#*0-9])\ufe0f(?=\u20e3)/gu

/** In any word of a value of JSON, the names in it too. */
export function holdsHiddenSignsWithin(value: unknown): boolean {
  if (typeof value === 'string') return holdsHiddenSigns(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, held]) => holdsHiddenSigns(name) || holdsHiddenSignsWithin(held))
}
