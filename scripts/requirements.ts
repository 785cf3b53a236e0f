/**
 * Owns reading docs/developers/requirements.md and comparing it with the tree: what is said to be there names files that
 * exist, what is done otherwise names a decision, and the counts are those of the rows. With `--write` it counts anew.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './workspace.ts'

export const requirementStates = ['there', 'otherwise', 'later', 'open'] as const
export type RequirementState = (typeof requirementStates)[number]

/** Where something belongs that comes later. */
const laterParts = ['channels', 'nodes', 'extensions', 'reach']

export interface Requirement {
  /** The title of the part of the document, from its second level. */
  readonly part: string
  readonly asked: string
  /** As it is written. */
  readonly state: string
  readonly where: string
}

export const requirementsPath = 'docs/developers/requirements.md'
const head = '| What is asked | State | Where |'
const countsHead = `| Part | ${requirementStates.join(' | ')} | All |`

/** Rows of the tables with that head, in order. */
export function requirementsIn(document: string): Requirement[] {
  const rows: Requirement[] = []
  let part = ''
  let inTable = false
  for (const line of document.split('\n')) {
    part = /^## (.+)$/.exec(line)?.[1] ?? part
    if (line === head) inTable = true
    else if (!line.startsWith('|')) inTable = false
    else if (inTable && !/^\|[\s|:-]+\|$/.test(line)) {
      const [asked = '', state = '', where = ''] = cellsOf(line)
      rows.push({ part, asked, state, where })
    }
  }
  return rows
}

/** `paths` are the files of the repository, `tools` the names that the catalogue offers. */
export function requirementProblems(
  document: string,
  tree: { readonly paths: readonly string[]; readonly promised: string; readonly tools: readonly string[] },
): string[] {
  const rows = requirementsIn(document)
  const paths = new Set(tree.paths)
  const decisions = new Set(
    tree.paths.flatMap((path) => /^docs\/decisions\/(\d{4})-[^/]+\.md$/.exec(path)?.[1] ?? []),
  )
  const problems = rows.flatMap((row) => rowProblems(row, paths, decisions))
  if (rows.length === 0) problems.push('There is no row.')
  if (countsIn(document) !== countsOf(rows).join('\n'))
    problems.push('The counts are not those of the rows: `node scripts/requirements.ts --write`.')
  const offered = new Set(tree.tools)
  for (const tool of promisedTools(tree.promised))
    if (!offered.has(tool)) problems.push(`${tool} was promised and is not in the catalogue.`)
  return problems.map((problem) => `${requirementsPath}: ${problem}`)
}

export function promisedTools(list: string): string[] {
  return list
    .trim()
    .split('\n')
    .flatMap((line) => line.replace(/^.*?: /, '').split(', '))
}

/** The document with the counts of its rows. */
export function counted(document: string): string {
  const lines = document.split('\n')
  const start = lines.indexOf(countsHead)
  if (start < 0) return document
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'))
  return lines.toSpliced(start, length, ...countsOf(requirementsIn(document))).join('\n')
}

function rowProblems(
  { asked, state, where }: Requirement,
  paths: ReadonlySet<string>,
  decisions: ReadonlySet<string>,
): string[] {
  const named = [...where.matchAll(/`([^`]+)`/g)].flatMap(([, name = '']) =>
    name.includes('/') || paths.has(name) ? [name] : [],
  )
  const missing = named
    .filter((name) => !paths.has(name) && /^(packages|tests|scripts|docs|bench|examples)\//.test(name))
    .map((name) => `“${asked}” names ${name}, which does not exist.`)
  switch (state as RequirementState) {
    case 'there':
      return [
        ...missing,
        ...(named.some((name) => !isTest(name))
          ? []
          : [`“${asked}” is there and names no file that does it.`]),
        ...(named.some(isTest) ? [] : [`“${asked}” is there and names no test that shows it.`]),
      ]
    case 'otherwise': {
      const numbers = where.match(/\b\d{4}\b/g) ?? []
      const unknown = numbers.filter((number) => !decisions.has(number))
      if (numbers.length === 0) return [...missing, `“${asked}” is done otherwise and names no decision.`]
      return [
        ...missing,
        ...unknown.map((number) => `“${asked}” names decision ${number}, which does not exist.`),
      ]
    }
    case 'later':
      return laterParts.includes(where)
        ? missing
        : [...missing, `“${asked}” comes later with ${where}, which is none of ${laterParts.join(', ')}.`]
    case 'open':
      return where === '' ? [`“${asked}” is open and says not what is missing.`] : missing
    default:
      return [`“${asked}” has the state ${state}, which is none of ${requirementStates.join(', ')}.`]
  }
}

const isTest = (path: string) => /\.(test|e2e)\.ts$/.test(path)

function countsOf(rows: readonly Requirement[]): string[] {
  const line = (name: string, of: readonly Requirement[]) => {
    const figures = requirementStates.map((state) => of.filter((row) => row.state === state).length)
    return `| ${[name, ...figures, of.length].join(' | ')} |`
  }
  const parts = Map.groupBy(rows, ({ part }) => part)
  return [
    countsHead,
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...[...parts].map(([name, of]) => line(name, of)),
    line('All', rows),
  ]
}

function countsIn(document: string): string {
  const lines = document.split('\n')
  const start = lines.indexOf(countsHead)
  const rest = lines.slice(Math.max(0, start))
  return rest
    .slice(
      0,
      rest.findIndex((line) => !line.startsWith('|')),
    )
    .join('\n')
}

function cellsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())
}

if (import.meta.main && process.argv.includes('--write')) {
  const path = join(repository, requirementsPath)
  writeFileSync(path, counted(readFileSync(path, 'utf8')))
}
