/** Owns the figures of the code that `pnpm check` prints: how much there is, how long its parts are, and how it is said. */
import { posix } from 'node:path'
import { importsOf, isProduct } from './boundaries.ts'
import type { FunctionLength } from './function-lengths.ts'
import type { Source, Workspace } from './workspace.ts'

export function figuresOf(
  workspace: Workspace,
  lengths: readonly FunctionLength[],
  glossary: string,
): readonly (readonly [string, string])[] {
  const code = workspace.sources.filter(({ path }) => /\.tsx?$/.test(path))
  const product = code.filter(isProduct)
  const files = product.map(({ path, text }) => ({ path, lines: linesOf(text) }))
  const longestFile = longestOf(files.filter(({ path }) => !path.includes('/data/')))
  const longestFunction = longestOf(lengths)
  const words = glossaryWords(glossary)
  const unused = unusedWords(words, product)
  return [
    ['files', `${product.length} of the product, ${code.length - product.length} of tests`],
    [
      'lines',
      `${sum(files)} of the product, ${sum(code.map(({ text }) => ({ lines: linesOf(text) }))) - sum(files)} of tests`,
    ],
    ['file', `median ${median(files)} lines, longest ${longestFile?.lines} (${longestFile?.path})`],
    [
      'function',
      `median ${median(lengths)} lines, longest ${longestFunction?.lines} (${longestFunction?.path}, ${longestFunction?.name})`,
    ],
    [
      'cycles',
      cyclesOf(code)
        .map((files) => files.join(' '))
        .join('; ') || '0, types included',
    ],
    ['casts', String(product.reduce((count, { text }) => count + castsIn(text), 0))],
    [
      'glossary',
      `${words.length - unused.length} of ${words.length} words are names in the code${unused.length > 0 ? `; not ${unused.join(', ')}` : ''}`,
    ],
  ]
}

/** Files that import each other, directly or over others; a type counts as much as a value. */
export function cyclesOf(sources: readonly Source[]): string[][] {
  const known = new Set(sources.map(({ path }) => path))
  const edges = new Map(
    sources.map(({ path, text }) => [
      path,
      importsOf(text)
        .filter(({ specifier, dynamic }) => specifier.startsWith('.') && !dynamic)
        .map(({ specifier }) => posix.join(posix.dirname(path), specifier))
        .filter((target) => known.has(target)),
    ]),
  )
  return components(edges).filter((files) => files.length > 1)
}

/** The words of the first table, without those that the design has and the product has not. */
export function glossaryWords(glossary: string): string[] {
  const [table = ''] = glossary.split('## Words to avoid')
  return [...table.matchAll(/^\| ([a-z][a-z ]*?) +\| (.*?) *\|$/gm)]
    .filter(([, , meaning = '']) => !meaning.endsWith('*'))
    .map(([, word = '']) => word)
}

function unusedWords(words: readonly string[], sources: readonly Source[]): string[] {
  const names = new Set(
    sources.flatMap(({ text }) =>
      [...text.matchAll(/[A-Za-z][A-Za-z0-9]*/g)].map(([name]) => name.toLowerCase()),
    ),
  )
  const all = [...names].join(' ')
  return words.filter((word) => !all.includes(word.replaceAll(' ', '')))
}

/** What the compiler is told and cannot see: `as` in code, without `as const` and without names of imports. */
export function castsIn(text: string): number {
  const code = text
    .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    .replaceAll(/`(?:[^`\\]|\\[\s\S])*`/g, "''")
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
    .replaceAll(/^(?:import|export)\s[^;=]*?from ''/gm, '')
  return [
    ...code.matchAll(
      /(?<=[\w)\]}'>!]) as (?!const\b)(?:[A-Z{[(]|unknown|never|string|number|boolean|object|keyof|typeof|readonly)/g,
    ),
  ].length
}

function components(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const waiting = new Set<string>()
  const found: string[][] = []
  const visit = (node: string): number => {
    const number = order.size
    order.set(node, number)
    low.set(node, number)
    stack.push(node)
    waiting.add(node)
    for (const next of edges.get(node) ?? []) {
      const reached = order.has(next)
        ? waiting.has(next)
          ? (order.get(next) ?? number)
          : number
        : visit(next)
      low.set(node, Math.min(low.get(node) ?? number, reached))
    }
    const lowest = low.get(node) ?? number
    if (lowest === number) {
      const component = stack.splice(stack.indexOf(node))
      for (const each of component) waiting.delete(each)
      found.push(component.toSorted())
    }
    return lowest
  }
  for (const node of edges.keys()) if (!order.has(node)) visit(node)
  return found
}

function linesOf(text: string): number {
  return text.split('\n').length - 1
}

function sum(of: readonly { readonly lines: number }[]): number {
  return of.reduce((total, { lines }) => total + lines, 0)
}

function longestOf<T extends { readonly lines: number }>(of: readonly T[]): T | undefined {
  return of.reduce<T | undefined>(
    (longest, each) => (each.lines > (longest?.lines ?? -1) ? each : longest),
    undefined,
  )
}

function median(of: readonly { readonly lines: number }[]): number {
  const sorted = of.map(({ lines }) => lines).toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
