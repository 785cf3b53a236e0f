/**
 * Proves that canonical text is what RFC 8785 says and that the strict reader takes nothing ambiguous: published
 * vectors, then generated values against a second implementation, then generated texts that must be refused.
 */

import {
  canonicalText,
  type JsonValue,
  MAX_JSON_BYTES,
  MAX_JSON_DEPTH,
  parseStrict,
  type StrictParse,
} from '@countersign/contract'
import type { Suite, SuiteOptions, SuiteResult } from '../suite.ts'
import {
  boundaryTexts,
  doubleFromBits,
  generateOversize,
  generateRefusal,
  generateValue,
  type Random,
  type Refusal,
  randomFrom,
  respell,
} from './canonical-data/generate.ts'
import { byCodePoint, referenceText } from './canonical-data/reference.ts'
import { numberVectors, textVectors } from './canonical-data/vectors.ts'

export const canonical: Suite = {
  name: 'canonical',
  defaultSize: 100_000,
  mutants: ['key-order-codepoint', 'accept-duplicates'],
  run,
}

/** The two functions on trial; a mutant stands in for one of them. */
interface Subject {
  write: (value: JsonValue) => string
  read: (text: string) => StrictParse
}

interface Tally {
  vectors: number
  values: number
  respelled: number
  boundaries: number
  refusals: Record<string, number>
  failures: number
  samples: string[]
}

const VALUES_PER_OVERSIZE = 2_000
const VALUES_PER_TURN = 1_000
const MOST_SAMPLES = 5

async function run(options: SuiteOptions): Promise<SuiteResult> {
  const subject = subjectFor(options.mutant)
  const random = randomFrom(options.seed)
  const tally: Tally = {
    vectors: 0,
    values: 0,
    respelled: 0,
    boundaries: 0,
    refusals: {},
    failures: 0,
    samples: [],
  }
  checkVectors(subject, tally)
  checkBoundaries(subject, tally)
  for (let index = 0; index < options.n; index += 1) {
    checkValue(subject, random, tally)
    checkRefusal(subject, generateRefusal(random), tally)
    if (index % VALUES_PER_OVERSIZE === 0) {
      checkRefusal(subject, generateOversize(random, MAX_JSON_BYTES), tally)
    }
    // Lets the caller's timers and signals run during a long proof.
    if (index % VALUES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  for (const sample of tally.samples) options.log(sample)
  const { failures, samples: _samples, ...details } = tally
  return { n: options.n, failures, details }
}

function subjectFor(mutant: string | undefined): Subject {
  const subject: Subject = { write: canonicalText, read: parseStrict }
  switch (mutant) {
    case undefined:
      return subject
    case 'key-order-codepoint':
      return { ...subject, write: (value) => referenceText(value, byCodePoint) }
    case 'accept-duplicates':
      return { ...subject, read: readLoosely }
    default:
      throw new Error(`canonical has no mutant named ${mutant}`)
  }
}

function readLoosely(text: string): StrictParse {
  try {
    return { kind: 'value', value: JSON.parse(text) as JsonValue }
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'refused', reason: 'syntax', position: 0 }
    throw error
  }
}

function checkVectors(subject: Subject, tally: Tally): void {
  for (const [bits, text] of numberVectors) {
    const value = doubleFromBits(Number.parseInt(bits.slice(0, 8), 16), Number.parseInt(bits.slice(8), 16))
    tally.vectors += 1
    for (const write of [subject.write, referenceText]) {
      expectSame(tally, `number ${bits}`, attempt(() => write(value)) ?? 'refused', text ?? 'refused')
    }
  }
  for (const { name, input, text } of textVectors) {
    const value = JSON.parse(input) as JsonValue
    tally.vectors += 1
    for (const write of [subject.write, referenceText]) expectSame(tally, name, write(value), text)
  }
}

function checkBoundaries(subject: Subject, tally: Tally): void {
  for (const text of boundaryTexts(MAX_JSON_DEPTH, MAX_JSON_BYTES)) {
    tally.boundaries += 1
    expectSame(tally, `boundary ${text.slice(0, 40)}`, subject.read(text).kind, 'value')
  }
}

function checkValue(subject: Subject, random: Random, tally: Tally): void {
  const value = generateValue(random)
  const expected = referenceText(value)
  tally.values += 1
  expectSame(tally, 'value', subject.write(value), expected)

  const readable = isReadable(value)
  for (const text of [expected, respell(random, value)]) {
    tally.respelled += 1
    const parsed = subject.read(text)
    const outcome = parsed.kind === 'value' ? subject.write(parsed.value) : parsed.reason
    expectSame(tally, `spelling ${text.slice(0, 200)}`, outcome, readable ? expected : 'unsafe-integer')
  }
}

function checkRefusal(subject: Subject, { kind, text }: Refusal, tally: Tally): void {
  tally.refusals[kind] = (tally.refusals[kind] ?? 0) + 1
  expectSame(tally, `${kind} ${text.slice(0, 200)}`, subject.read(text).kind, 'refused')
}

/** Doubles beyond ±(2^53−1) have a canonical text, but the strict reader must not take it. */
function isReadable(value: JsonValue): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER
  if (value === null || typeof value !== 'object') return true
  return Object.values(value).every(isReadable)
}

function attempt(action: () => string): string | undefined {
  try {
    return action()
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined
    throw error
  }
}

function expectSame(tally: Tally, what: string, actual: string, expected: string): void {
  if (actual === expected) return
  tally.failures += 1
  if (tally.samples.length < MOST_SAMPLES) {
    tally.samples.push(
      JSON.stringify({ what, actual: actual.slice(0, 400), expected: expected.slice(0, 400) }),
    )
  }
}
