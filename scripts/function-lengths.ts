/**
 * Owns how long functions are, by the count of the linter, and the ratchet on it: in each package no more functions
 * than the committed table says are longer than a screen, and none is longer than the longest was.
 * `node scripts/function-lengths.ts --write` writes the table anew; the difference is then a line of the review.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isProduct } from './boundaries.ts'
import { repository } from './workspace.ts'

export interface FunctionLength {
  readonly path: string
  readonly name: string
  readonly lines: number
}

export interface PackageLengths {
  /** How many functions are longer than a screen. */
  readonly over: number
  readonly longest: number
}

export type LengthTable = Readonly<Record<string, PackageLengths>>

/** A function that is longer does not fit on a screen. */
export const screen = 60

const tablePath = join(repository, 'scripts', 'function-lengths.json')

/** Every function of the product, with the lines from its first to its last. */
export function functionLengths(root: string = repository): FunctionLength[] {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-lengths-'))
  const config = join(folder, 'oxlint.json')
  writeFileSync(
    config,
    JSON.stringify({
      plugins: [],
      categories: { correctness: 'off' },
      rules: { 'max-lines-per-function': ['warn', { max: 0 }] },
    }),
  )
  const { stdout, stderr, error } = spawnSync(
    join(root, 'node_modules', '.bin', 'oxlint'),
    ['-c', config, '--format=unix', 'packages'],
    { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 },
  )
  rmSync(folder, { recursive: true, force: true })
  if (error) throw error
  const found = lengthsIn(stdout)
  if (found.length === 0) throw new Error(`The linter measured no function: ${stdout}${stderr}`)
  return found
}

export function lengthsIn(output: string): FunctionLength[] {
  const line = /^(\S+?):\d+:\d+: The (.+) has too many lines \((\d+)\)/gm
  return [...output.matchAll(line)]
    .map(([, path = '', name = '', lines]) => ({ path, name, lines: Number(lines) }))
    .filter((each) => isProduct(each) && each.path.includes('/src/'))
}

export function tableOf(lengths: readonly FunctionLength[]): LengthTable {
  const table: Record<string, PackageLengths> = {}
  for (const { path, lines } of lengths) {
    const name = packageOf(path)
    const { over, longest } = table[name] ?? { over: 0, longest: 0 }
    table[name] = { over: over + (lines > screen ? 1 : 0), longest: Math.max(longest, lines) }
  }
  return Object.fromEntries(Object.entries(table).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** What has grown, with the functions that a reader would look at first. */
export function grownFunctions(lengths: readonly FunctionLength[], allowed: LengthTable): string[] {
  return Object.entries(tableOf(lengths)).flatMap(([name, { over, longest }]) => {
    const most = allowed[name] ?? { over: 0, longest: screen }
    if (over <= most.over && longest <= Math.max(most.longest, screen)) return []
    const longestFirst = lengths
      .filter(({ path, lines }) => packageOf(path) === name && lines > screen)
      .toSorted((one, other) => other.lines - one.lines)
    return [
      `packages/${name}: ${over} functions are longer than ${screen} lines, the longest ${longest}; the table allows ${most.over} and ${most.longest}. Split one by phase and result, or write the table anew: node scripts/function-lengths.ts --write.`,
      ...longestFirst
        .slice(0, 5)
        .map(({ path, name: called, lines }) => `  ${path} ${called}: ${lines} lines`),
    ]
  })
}

export function readTable(): LengthTable {
  return JSON.parse(readFileSync(tablePath, 'utf8')) as LengthTable
}

function packageOf(path: string): string {
  return path.split('/')[1] ?? ''
}

if (import.meta.main && process.argv.includes('--write')) {
  const rows = Object.entries(tableOf(functionLengths())).map(
    ([name, { over, longest }]) => `  "${name}": { "over": ${over}, "longest": ${longest} }`,
  )
  writeFileSync(tablePath, `{\n${rows.join(',\n')}\n}\n`)
  process.stdout.write('Wrote scripts/function-lengths.json.\n')
}
