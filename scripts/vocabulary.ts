/**
 * Owns the words of the code: a name that others import is made of plain words, and a type's name is the only one in
 * its package, so that a search finds what it means. Pure: it judges a workspace and returns what is wrong, as sentences.
 */
import type { Source, Workspace } from './workspace.ts'

/** Words that stood for something else once, with what to say. Tools and their texts are free: the model reads them. */
const avoided: ReadonlyMap<string, string> = new Map([
  ['house', 'gateway, record tool, installation'],
  ['hand', 'transaction, manual'],
  ['hands', 'capabilities'],
  ['desk', 'context, services'],
  ['voice', 'model settings'],
  ['shelf', 'catalogue, recipes'],
  ['mind', 'assistant'],
  ['heed', 'check stop and pause'],
  ['wishes', 'pending controls'],
  ['circumstances', 'context'],
  ['deed', 'action'],
  ['cabinet', 'store'],
  ['clockwork', 'scheduler'],
  ['pulse', 'metrics'],
  ['happenings', 'items'],
  ['spine', 'what it adds'],
])

const declaration =
  /^export (?:declare )?(?:async )?(interface|type|class|const|function\*?) ([A-Za-z_$][\w$]*)/gm
const types: ReadonlySet<string> = new Set(['interface', 'type', 'class'])

interface ExportedName {
  readonly path: string
  readonly package: string
  readonly name: string
  readonly isType: boolean
}

export function vocabularyProblems({ sources }: Pick<Workspace, 'sources'>): string[] {
  const product = sources.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path) && !isTest(path))
  const names = product.flatMap(exportedNames)
  return [
    ...product.flatMap(({ path }) => wordProblems(path, fileName(path), 'is a file called')),
    ...names.flatMap(({ path, name }) => wordProblems(path, name, 'exports')),
    ...sharedTypes(names),
  ]
}

function exportedNames({ path, text }: Source): ExportedName[] {
  const [, owner = ''] = path.split('/')
  return [...text.matchAll(declaration)].map(([, kind = '', name = '']) => ({
    path,
    package: owner,
    name,
    isType: types.has(kind),
  }))
}

function wordProblems(path: string, name: string, how: string): string[] {
  return wordsIn(name).flatMap((word) => {
    const instead = avoided.get(word)
    return instead === undefined ? [] : [`${path} ${how} ${name}. Instead of ${word} say ${instead}.`]
  })
}

function sharedTypes(names: readonly ExportedName[]): string[] {
  const byName = Map.groupBy(
    names.filter(({ isType }) => isType),
    (each) => `${each.package} ${each.name}`,
  )
  return [...byName.values()].flatMap((same) => {
    const paths = [...new Set(same.map(({ path }) => path))]
    const [first] = same
    return first && paths.length > 1
      ? [`${first.name} is exported by ${paths.join(' and ')}. Give each a name of its own.`]
      : []
  })
}

function wordsIn(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase())
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$|\/testing\/|\/dev\//.test(path)
}
