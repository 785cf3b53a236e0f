/**
 * Measures the trusted closure: every file that is reached by import from where a permit is minted, and from where the
 * executor checks one. A mistake in any of them can make a permit wrong. Types count: they say what a value may be.
 */
import { posix } from 'node:path'
import { countTokens } from 'gpt-tokenizer'
import { importsOf, isProduct } from './boundaries.ts'
import type { Workspace } from './workspace.ts'

export interface TrustedFile {
  readonly path: string
  readonly lines: number
  readonly tokens: number
}

/** The kernel as it is put together, which mints; and the executor's own checks. */
export const trustedRoots: readonly string[] = [
  'packages/kernel/src/open-kernel.ts',
  'packages/executor/src/verify.ts',
]

export function trustedClosure(
  workspace: Workspace,
  roots: readonly string[] = trustedRoots,
): readonly TrustedFile[] {
  const sources = new Map(
    workspace.sources
      .filter((source) => source.path.endsWith('.ts') && isProduct(source))
      .map(({ path, text }) => [path, text]),
  )
  const reached = new Set<string>()
  const waiting = [...roots]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const text = sources.get(path)
    if (text === undefined || reached.has(path)) continue
    reached.add(path)
    for (const { specifier, names } of namedImports(text)) {
      const target = targetOf(path, specifier, workspace)
      if (target !== undefined) waiting.push(...holdersOf(target, names, sources))
    }
  }
  return [...reached]
    .map((path) => ({ path, text: sources.get(path) ?? '' }))
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1, tokens: countTokens(text) }))
    .toSorted((one, other) => other.tokens - one.tokens)
}

export function closureLines(files: readonly TrustedFile[]): string[] {
  const lines = files.reduce((sum, file) => sum + file.lines, 0)
  const tokens = files.reduce((sum, file) => sum + file.tokens, 0)
  return [
    `The trusted closure has ${files.length} files, ${lines} lines, ${tokens} tokens. The five largest files:`,
    ...files.slice(0, 5).map((file) => `  ${file.path}: ${file.lines} lines, ${file.tokens} tokens`),
  ]
}

/** A file of the workspace; nothing for a dependency from outside. */
function targetOf(path: string, specifier: string, { members }: Workspace): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier)
  const member = members.find(
    ({ manifest }) => specifier === manifest.name || specifier.startsWith(`${manifest.name}/`),
  )
  if (member === undefined) return undefined
  const file = member.manifest.exports?.[`.${specifier.slice(member.manifest.name.length)}`]
  return file === undefined ? undefined : posix.join(member.folder, file)
}

interface NamedImport {
  readonly specifier: string
  /** Left out where all of the module is taken. */
  readonly names?: ReadonlySet<string>
}

function namedImports(text: string): NamedImport[] {
  const lists = new Map<string, Set<string>>()
  for (const [, list = '', specifier = ''] of text.matchAll(
    /^(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s+'([^']+)'/gm,
  ))
    lists.set(specifier, new Set([...(lists.get(specifier) ?? []), ...namesIn(list)]))
  return importsOf(text).map(({ specifier }) => {
    const names = lists.get(specifier)
    return names ? { specifier, names } : { specifier }
  })
}

/** The names as the other module knows them. */
function namesIn(list: string): string[] {
  return list
    .split(',')
    .map(
      (each) =>
        each
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)[0] ?? '',
    )
    .filter((name) => name !== '')
}

/** The door of a package only passes names on: who imports one reaches the file behind it, and not all others. */
function holdersOf(
  path: string,
  names: ReadonlySet<string> | undefined,
  sources: ReadonlyMap<string, string>,
): string[] {
  const text = sources.get(path)
  if (text === undefined || !path.endsWith('/index.ts') || names === undefined) return [path]
  const found: string[] = []
  for (const [, list, specifier = ''] of text.matchAll(
    /^export\s+(?:type\s+)?(?:\*|\{([^}]*)\})\s*from\s+'(\.[^']+)'/gm,
  )) {
    const target = posix.join(posix.dirname(path), specifier)
    const wanted = [...names].filter((name) =>
      list === undefined ? exportsOf(target, sources).has(name) : exportedAs(list, name),
    )
    if (wanted.length > 0) found.push(...holdersOf(target, new Set(wanted), sources))
  }
  return found
}

function exportedAs(list: string, name: string): boolean {
  return list.split(',').some(
    (each) =>
      each
        .trim()
        .replace(/^type\s+/, '')
        .split(/\s+as\s+/)
        .at(-1) === name,
  )
}

function exportsOf(path: string, sources: ReadonlyMap<string, string>): Set<string> {
  const text = sources.get(path) ?? ''
  const found = new Set<string>()
  for (const [, name = ''] of text.matchAll(
    /^export\s+(?:declare\s+|abstract\s+|async\s+)*(?:const|let|function\*?|class|interface|type|enum)\s+(\w+)/gm,
  ))
    found.add(name)
  for (const [, list = ''] of text.matchAll(/^export\s+(?:type\s+)?\{([^}]*)\}/gm))
    for (const each of list.split(','))
      found.add(
        each
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)
          .at(-1) ?? '',
      )
  for (const [, specifier = ''] of text.matchAll(/^export\s+\*\s+from\s+'(\.[^']+)'/gm))
    for (const name of exportsOf(posix.join(posix.dirname(path), specifier), sources)) found.add(name)
  return found
}
