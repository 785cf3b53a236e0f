import { Language } from '@countersign/contract'
import { isValidElement, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { german } from './de/index.ts'
import { translations } from './translations.ts'

/** A sentence that takes something is tried with numbers, which a string, a count and a part of a page all accept. */
const firstMark = 7_000_001
const tries = [(place: number) => firstMark + place, () => 1]

const english = Object.fromEntries(
  Object.entries(
    import.meta.glob<{ words?: object }>(['./*.{ts,tsx}', '!./*.test.ts'], { eager: true }),
  ).flatMap(([path, { words }]): [string, object][] => {
    const [, name = ''] = /^\.\/([\w-]+)\.tsx?$/.exec(path) ?? []
    return words === undefined ? [] : [[camelCase(name), words]]
  }),
)

test('has the languages that the gateway has', () => {
  expect(['en', ...Object.keys(translations)].toSorted()).toEqual(Language.options.toSorted())
})

test('has a German catalogue for every English one, with the same keys', () => {
  expect(Object.keys(english).length).toBeGreaterThan(0)
  expect(keysOf(german)).toEqual(keysOf(english))
})

test.each([
  ['English', english],
  ['German', german],
] as const)('has no empty sentence in %s', (_, catalogues) => {
  const empty = [...leavesOf(catalogues)].filter(([, leaf]) =>
    tries.some((mark) => said(leaf, mark).trim() === ''),
  )
  expect(empty.map(([key]) => key)).toEqual([])
})

test('uses in German what the English sentence uses', () => {
  const translated = new Map(leavesOf(german))
  const different = [...leavesOf(english)].flatMap(([key, leaf]) => {
    const [wanted, used] = [marksIn(leaf), marksIn(translated.get(key))]
    return wanted === used ? [] : [`${key}: ${wanted} in English, ${used} in German`]
  })
  expect(different).toEqual([])
})

test('leaves no sentence as it is in English, save names and symbols', () => {
  const translated = new Map(leavesOf(german))
  const same = [...leavesOf(english)].filter(
    ([key, leaf]) => typeof leaf === 'string' && /\w+ \w+ \w+/.test(leaf) && translated.get(key) === leaf,
  )
  expect(same.map(([key]) => key)).toEqual([])
})

function keysOf(catalogues: object): readonly string[] {
  return [...leavesOf(catalogues)].map(([key]) => key).toSorted()
}

function* leavesOf(value: unknown, path = ''): Generator<readonly [string, unknown]> {
  if (typeof value === 'string' || typeof value === 'function') yield [path, value]
  else
    for (const [key, part] of Object.entries(value as object))
      yield* leavesOf(part, path === '' ? key : `${path}.${key}`)
}

function said(leaf: unknown, mark: (place: number) => number): string {
  if (typeof leaf !== 'function') return String(leaf)
  const given = Array.from({ length: leaf.length }, (_, place) => mark(place))
  return textOf((leaf as (...given: unknown[]) => ReactNode)(...given))
}

function textOf(node: ReactNode): string {
  if (node === null || node === undefined || typeof node === 'boolean') return ''
  if (Array.isArray(node)) return node.map((each) => textOf(each as ReactNode)).join('')
  if (isValidElement<{ children?: ReactNode }>(node)) return textOf(node.props.children)
  return typeof node === 'string' || typeof node === 'number' ? String(node) : ''
}

/** Which of its arguments a sentence has, whatever separates the thousands. */
function marksIn(leaf: unknown): string {
  const text = said(leaf, (place) => firstMark + place).replaceAll(/[.,\u00a0\u202f](?=\d{3})/g, '')
  return [...new Set(text.match(/700000\d/g) ?? [])].toSorted().join(' ')
}

function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
