/** Trials of the redactor alone: every value in every form must go, and harmless text must stay as it is. */
import { createRedactor } from '@countersign/contract/node'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import { type Canaries, formsOf, word } from './canaries.ts'

export type Redact = (text: string) => string

export interface Trials {
  readonly n: number
  readonly wrong: string[]
}

type Encodings = Parameters<typeof createRedactor>[0]

export function redactorOf(canaries: Canaries, known?: Encodings): Redact {
  const redactor = known === undefined ? createRedactor() : createRedactor(known)
  for (const { name, value } of canaries.all) redactor.register(name, value)
  return redactor.text
}

/** In the middle of a sentence, alone, and within a JSON document. */
const settings: readonly ((form: string) => string)[] = [
  (form) => form,
  (form) => `The service said ${form} and nothing else.`,
  (form) => JSON.stringify({ error: { message: `invalid: ${form}`, list: [form] } }),
]

export function maskingTrials(canaries: Canaries, redact: Redact): Trials {
  const wrong: string[] = []
  let n = 0
  for (const { name, value } of canaries.all) {
    for (const [encoding, form] of Object.entries(formsOf(value))) {
      for (const setting of settings) {
        // What JSON escapes a third time is no longer one of the usual forms.
        if (setting === settings[2] && encoding === 'json in json') continue
        n += 1
        const [seen] = canaries.seenIn(redact(setting(form)))
        if (seen !== undefined) wrong.push(`${name} as ${encoding}: ${seen}`)
      }
    }
  }
  return { n, wrong }
}

export function harmlessTrials(count: number, canaries: Canaries, redact: Redact, random: Random): Trials {
  const wrong: string[] = []
  for (let trial = 0; trial < count; trial += 1) {
    const text = harmless[trial % harmless.length]?.(random, canaries) ?? ''
    const shown = redact(text)
    if (shown !== text) wrong.push(`masked: ${text.slice(0, 200)} → ${shown.slice(0, 200)}`)
  }
  return { n: count, wrong }
}

const words =
  'the key of an installation is kept by whoever opens the door at night and closes it again'.split(' ')

/** Near misses among them: values that were cut, or in which one character differs, in every form. */
const harmless: readonly ((random: Random, canaries: Canaries) => string)[] = [
  (random) => Array.from({ length: 5 + random.below(60) }, () => random.pick(words)).join(' '),
  (random) => word(random, 20 + random.below(200)),
  (random) =>
    Buffer.from(word(random, 10 + random.below(200))).toString(random.pick(['base64', 'hex', 'base64url'])),
  (random) =>
    JSON.stringify({
      id: random.below(1e9),
      at: new Date(random.below(2e12)),
      token: word(random, 40),
      ü: '<&>"',
    }),
  (random) => `https://example.com/${word(random, 12)}?q=${encodeURIComponent(`${word(random, 9)} "ü" &`)}`,
  (random, canaries) => cut(random.pick(canaries.all).value, random),
  (random, canaries) => random.pick(Object.values(formsOf(changed(random.pick(canaries.all).value, random)))),
  (random, canaries) => random.pick(Object.values(formsOf(cut(random.pick(canaries.all).value, random)))),
]

function cut(value: string, random: Random): string {
  const characters = Array.from(value)
  const less = 1 + random.below(Math.min(6, characters.length - 8))
  return (random.below(2) === 0 ? characters.slice(less) : characters.slice(0, -less)).join('')
}

function changed(value: string, random: Random): string {
  const characters = Array.from(value)
  const at = random.below(characters.length)
  const other = characters[at] === 'x' ? 'y' : 'x'
  return characters.with(at, other).join('')
}
