/**
 * Runs every check that needs no running gateway, or those that are named, prints one line for each, and fails with
 * all that was found.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findViolations, kernelLines } from './boundaries.ts'
import { closureLines, trustedClosure } from './closure.ts'
import { figuresOf } from './figures.ts'
import { functionLengths, grownFunctions, readTable } from './function-lengths.ts'
import { dependencyDifferences, errorDifferences } from './listings.ts'
import { missingNames } from './named-files.ts'
import { vocabularyProblems } from './vocabulary.ts'
import { readDocuments, readWorkspace, repository, repositoryFiles } from './workspace.ts'

const workspace = readWorkspace()
const lengths = functionLengths()

const checks: readonly { readonly name: string; readonly find: () => string[] }[] = [
  { name: 'types', find: () => ['.', 'packages/web'].flatMap((project) => outputOf('tsc', ['-p', project])) },
  { name: 'lint', find: () => outputOf('oxlint', ['--type-aware', '--format=unix']) },
  { name: 'functions', find: () => grownFunctions(lengths, readTable()) },
  { name: 'format', find: () => outputOf('biome', ['ci', '--colors=off', '.']) },
  { name: 'boundaries', find: () => findViolations(workspace) },
  {
    name: 'errors',
    find: () =>
      errorDifferences(textOf('docs/errors.md'), textOf('packages/gateway/src/database/database-error.ts')),
  },
  { name: 'dependencies', find: () => dependencyDifferences(textOf('docs/dependencies.md'), workspace) },
  { name: 'names', find: () => missingNames(readDocuments(), repositoryFiles()) },
  { name: 'vocabulary', find: () => vocabularyProblems(workspace) },
  { name: 'tools', find: () => outputOf('node', ['scripts/tools-doc.ts', '--check']) },
  { name: 'providers', find: () => outputOf('node', ['scripts/providers-doc.ts', '--check']) },
  { name: 'api', find: () => outputOf('node', ['scripts/api-doc.ts', '--check']) },
]

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !checks.some((check) => check.name === name))
if (unknown.length > 0) {
  print(
    `There is no check ${unknown.join(', ')}. Name some of: ${checks.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}
const chosen = wanted.length === 0 ? checks : checks.filter(({ name }) => wanted.includes(name))

const failures: string[] = []
for (const { name, find } of chosen) {
  const began = performance.now()
  const found = find()
  const took = `${((performance.now() - began) / 1000).toFixed(1)} s`
  print(`${name.padEnd(13)} ${found.length === 0 ? 'ok' : 'failed'}  ${took}`)
  if (found.length > 0) failures.push(`${name}:\n${found.map((line) => `  ${line}`).join('\n')}`)
}
if (wanted.length === 0) printFigures()
for (const failure of failures) print(`\n${failure}`)
print(`\nchecks: ${chosen.length - failures.length} passed, ${failures.length} failed`)
process.exitCode = failures.length === 0 ? 0 : 1

function printFigures(): void {
  print(`\nThe kernel has ${kernelLines(workspace)} lines without its tests.`)
  for (const line of closureLines(trustedClosure(workspace))) print(line)
  for (const [what, figure] of figuresOf(workspace, lengths, textOf('docs/glossary.md')))
    print(`${what.padEnd(13)} ${figure}`)
}

function outputOf(program: string, args: string[]): string[] {
  const { status, stdout, stderr, error } = spawnSync(
    join(repository, 'node_modules', '.bin', program),
    args,
    {
      cwd: repository,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    },
  )
  if (error) return [error.message]
  return status === 0 ? [] : `${stdout}${stderr}`.trim().split('\n')
}

function textOf(path: string): string {
  return existsSync(join(repository, path)) ? readFileSync(join(repository, path), 'utf8') : ''
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
