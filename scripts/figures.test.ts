import { describe, expect, it } from 'vitest'
import { castsIn, cyclesOf, figuresOf, glossaryWords } from './figures.ts'
import { grownFunctions, lengthsIn } from './function-lengths.ts'

describe('figures of the code', () => {
  const source = (path: string, text: string) => ({ path: `packages/agent/src/${path}`, text })

  it('finds files that import each other, also over types and over others', () => {
    const a = source('a.ts', "import type { B } from './b.ts'")
    const b = source('b.ts', "import { c } from './deep/c.ts'")
    const c = source('deep/c.ts', "export { a } from '../a.ts'")
    expect(cyclesOf([a, b, c])).toEqual([[a.path, b.path, c.path]])
    expect(cyclesOf([a, b, source('deep/c.ts', "const load = () => import('../a.ts')")])).toEqual([])
  })

  it('counts what the compiler is told, and not names, constants and words', () => {
    expect(castsIn('const x = (y as Label)\nconst z = f() as unknown as Text')).toBe(3)
    expect(castsIn("import { a as b } from './c.ts'\nconst x = ['a'] as const // as Label")).toBe(0)
    expect(castsIn("const words = 'such as Label'\nconst more = `${words} as Text`")).toBe(0)
  })

  it('reads the words that are built, and says which the code does not use', () => {
    const glossary =
      '| Word | Meaning |\n| lane | Order. |\n| user agent | One. |\n| peer | Somebody.* |\n## Words to avoid\n| queue | lane |\n'
    expect(glossaryWords(glossary)).toEqual(['lane', 'user agent'])
    const workspace = { root: { name: 'root' }, members: [], sources: [source('a.ts', 'createLane()\n')] }
    const figures = new Map(figuresOf(workspace, [{ path: 'a', name: 'one', lines: 3 }], glossary))
    expect(figures.get('glossary')).toBe('1 of 2 words are names in the code; not user agent')
    expect(figures.get('lines')).toBe('1 of the product, 0 of tests')
    expect(figures.get('cycles')).toBe('0, types included')
  })
})

describe('the ratchet on functions', () => {
  const output = [
    'packages/agent/src/loop.ts:3:1: The function `run` has too many lines (70). Maximum allowed is 0. [Warning/x]',
    'packages/agent/src/loop.test.ts:3:1: The function `run` has too many lines (700). Maximum allowed is 0. [Warning/x]',
  ].join('\n')
  const lengths = lengthsIn(output)

  it('measures the product and not its tests', () => {
    expect(lengths).toEqual([{ path: 'packages/agent/src/loop.ts', name: 'function `run`', lines: 70 }])
  })

  it('lets a function stay as long as it is, and no other become longer', () => {
    expect(grownFunctions(lengths, { agent: { over: 1, longest: 70 } })).toEqual([])
    expect(grownFunctions(lengths, { agent: { over: 1, longest: 69 } })).toHaveLength(2)
    expect(grownFunctions(lengths, { agent: { over: 0, longest: 70 } })).toHaveLength(2)
    expect(grownFunctions(lengths, {})[0]).toContain('packages/agent: 1 functions are longer than 60 lines')
  })
})
