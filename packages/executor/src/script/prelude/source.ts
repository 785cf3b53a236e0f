/** Owns the text of the program that is run before every other. */
import { calls } from './calls.ts'
import { data } from './data.ts'
import { dates } from './dates.ts'
import { encoding } from './encoding.ts'
import { installGlobals, type Part } from './globals.ts'
import { keys } from './keys.ts'
import { numbers } from './numbers.ts'
import { words } from './words.ts'

const parts: readonly Part[] = [calls, data, dates, encoding, keys, numbers, words]

/** A function of the host and the setup as JSON; it gives what runs a program. */
export function preludeSource(): string {
  const texts = parts.map((part) => `(${part.toString()})`)
  return `(host, setup) => (${installGlobals.toString()})(host, JSON.parse(setup), [${texts.join(',\n')}])`
}
