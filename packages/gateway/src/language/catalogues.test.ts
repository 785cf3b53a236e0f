import { Language } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { setupWords } from '../onboarding/words/index.ts'
import { pushWords } from '../push/words/index.ts'

/** A sentence that takes something is tried with numbers, which a string and a count both accept. */
const firstMark = 7_000_001
const translations = Language.options.filter((language) => language !== 'en')

describe.each([
  ['notifications', pushWords],
  ['setup', setupWords],
] as const)('the catalogue of %s', (_, catalogues) => {
  const english = new Map(leavesOf(catalogues.en))

  test.each(translations)('has the same keys in %s', (language) => {
    expect([...leavesOf(catalogues[language])].map(([key]) => key).toSorted()).toEqual(
      [...english.keys()].toSorted(),
    )
  })

  test.each(Language.options)('has no empty sentence in %s', (language) => {
    const empty = [...leavesOf(catalogues[language])].filter(([, leaf]) => said(leaf, () => 1).trim() === '')
    expect(empty.map(([key]) => key)).toEqual([])
  })

  test.each(translations)('uses in %s what the English sentence uses', (language) => {
    const different = [...leavesOf(catalogues[language])].flatMap(([key, leaf]) => {
      const [wanted, used] = [marksIn(english.get(key)), marksIn(leaf)]
      return wanted === used ? [] : [`${key}: ${wanted} in English, ${used} in ${language}`]
    })
    expect(different).toEqual([])
  })

  test.each(translations)('leaves no sentence of %s as it is in English', (language) => {
    const same = [...leavesOf(catalogues[language])].filter(
      ([key, leaf]) => typeof leaf === 'string' && /\w+ \w+ \w+/.test(leaf) && english.get(key) === leaf,
    )
    expect(same.map(([key]) => key)).toEqual([])
  })
})

function* leavesOf(value: unknown, path = ''): Generator<readonly [string, unknown]> {
  if (typeof value === 'string' || typeof value === 'function') yield [path, value]
  else
    for (const [key, part] of Object.entries(value as object))
      yield* leavesOf(part, path === '' ? key : `${path}.${key}`)
}

function said(leaf: unknown, mark: (place: number) => number): string {
  if (typeof leaf !== 'function') return String(leaf)
  const given = Array.from({ length: leaf.length }, (_, place) => mark(place))
  return String((leaf as (...given: unknown[]) => unknown)(...given))
}

/** Which of its arguments a sentence has, whatever separates the thousands. */
function marksIn(leaf: unknown): string {
  const text = said(leaf, (place) => firstMark + place).replaceAll(/[.,\u00a0\u202f](?=\d{3})/g, '')
  return [...new Set(text.match(/700000\d/g) ?? [])].toSorted().join(' ')
}
