/** Texts whose words are spread as in language: the second commonest is half as common as the commonest, and so on. */
import type { JsonObject } from '../../packages/contract/src/index.ts'

export interface MadeTexts {
  memory(place: number): JsonObject
  /** Some words of one memory, and some that are in many. */
  queryFor(query: number): string
}

const vocabulary = 30_000
const types = ['fact', 'preference', 'event', 'skill'] as const

export function madeTexts(memories: number): MadeTexts {
  const wordsOf = (place: number) => {
    const random = randomFrom(place + 1)
    return Array.from({ length: 8 + Math.floor(random() * 18) }, () => wordAt(random))
  }
  return {
    memory(place) {
      const random = randomFrom(place + 77)
      return {
        content: wordsOf(place).join(' '),
        type: types[place % types.length] ?? 'fact',
        importance: Math.round(random() * 100) / 100,
        tags: [],
        status: 'active',
        goal: null,
        pinned: false,
      }
    },
    queryFor(query) {
      const random = randomFrom(query + 5_000_000)
      const words = wordsOf(Math.floor(random() * memories))
      return [...words.slice(0, 5), wordAt(random), wordAt(random), wordAt(random)].join(' ')
    },
  }
}

function wordAt(random: () => number): string {
  const rank = Math.floor(Math.exp(random() * Math.log(vocabulary)))
  return `${syllable(rank)}${syllable(Math.floor(rank / 90))}${syllable(Math.floor(rank / 8_100) + 7)}`
}

function syllable(number: number): string {
  const consonants = 'bdfgklmnprtvwzhjqx'
  return `${consonants[number % 18]}${'aiou'[Math.floor(number / 18) % 4] ?? 'a'}${number % 5 === 0 ? 'n' : ''}`
}

function randomFrom(seed: number): () => number {
  let state = Math.imul(seed, 2_654_435_761) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
