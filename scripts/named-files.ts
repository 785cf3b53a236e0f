/**
 * Owns the comparison of the documents with the tree: the files and folders that they name exist, and the readme of a
 * package names each of its folders. Pure: it is handed the documents and the paths.
 */
import { posix } from 'node:path'

export interface Document {
  /** From the root of the repository, with slashes. */
  readonly path: string
  readonly text: string
}

/** What a build makes. */
const made = ['packages/web/dist', 'dist/countersign']

/** Files that a document invents, to say how one is made. */
const invented = ['count-lines.ts', 'count-lines.test.ts', 'first-line.ts', 'first-line.test.ts']

/** Folders of a package that its readme need not name. */
const unnamed = ['testing', 'golden']

/** A name of ours: a source file, or any file below one of the folders of the repository. */
const sourceName = /^[\w.-]+(\/[\w.-]+)*\.tsx?$/
const treeName = /^(packages|tests|bench|scripts|docs|examples|src|\.ci|\.github)\/[\w./-]*\w$/
const folderName = /^[\w.-]+(\/[\w.-]+)*\/$/

export function missingNames(documents: readonly Document[], paths: readonly string[]): string[] {
  const tree = treeOf(paths)
  return [
    ...documents.flatMap((document) => missingIn(document, tree)),
    ...documents.flatMap((document) => unnamedFolders(document, tree)),
  ]
}

interface Tree {
  /** Every file and every folder, and the end of each of their paths from each of its slashes on. */
  readonly ends: ReadonlySet<string>
  readonly all: ReadonlySet<string>
}

function treeOf(paths: readonly string[]): Tree {
  const all = new Set<string>()
  for (const path of paths) {
    for (let at = path; at !== '.'; at = posix.dirname(at)) all.add(at)
  }
  const ends = new Set<string>()
  for (const path of all) {
    const parts = path.split('/')
    for (let from = 0; from < parts.length; from += 1) ends.add(parts.slice(from).join('/'))
  }
  return { all, ends }
}

function missingIn({ path, text }: Document, { all, ends }: Tree): string[] {
  const folder = posix.dirname(path)
  const found: string[] = []
  for (const target of linksOf(text)) {
    if (!all.has(posix.join(folder, target)) && posix.join(folder, target) !== '.')
      found.push(`${path} links to ${target}, which does not exist.`)
  }
  // A decision keeps the names of its day.
  if (path.startsWith('docs/decisions/')) return found
  for (const name of namesOf(text, inventory(path))) {
    const here = posix.join(folder, name)
    const known = all.has(here) || ends.has(name) || made.includes(name)
    if (!known && !invented.includes(posix.basename(name)))
      found.push(`${path} names ${name}, which does not exist.`)
  }
  return found
}

/** The readme of a package and the map of the code list folders; elsewhere a folder may be one of the operator's. */
function inventory(path: string): boolean {
  return path === 'ARCHITECTURE.md' || /^packages\/[^/]+\/README\.md$/.test(path)
}

function linksOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/\]\(([^)\s#]+)[^)]*\)|(?:src|srcset)="([^"]+)"/g)]
    .map(([, link, picture]) => link ?? picture ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
}

function namesOf(text: string, folders: boolean): string[] {
  const words = [...withoutCode(text).matchAll(/`([^`\n]+)`/g)].flatMap(([, inside = '']) =>
    inside.split(/[\s,]+/),
  )
  const names = words.filter(
    (word) => sourceName.test(word) || treeName.test(word) || (folders && folderName.test(word)),
  )
  return [...new Set(names.map((name) => name.replace(/\/$/, '')))]
}

function unnamedFolders({ path, text }: Document, { all }: Tree): string[] {
  const source = /^(packages\/[^/]+)\/README\.md$/.exec(path)?.[1]
  if (source === undefined) return []
  return [...all]
    .filter((at) => posix.dirname(at) === `${source}/src` && !posix.basename(at).includes('.'))
    .map((at) => posix.basename(at))
    .filter((name) => !unnamed.includes(name) && !new RegExp(`[\`/ ]${name}[\`/]`).test(text))
    .map((name) => `${path} does not say what is in src/${name}.`)
}

function withoutCode(text: string): string {
  return text.replaceAll(/^(```+).*\n[\s\S]*?^\1\s*$/gm, '')
}
