/** Owns how the repository is read: its manifests and its source files, as data that the checks can be tested on. */
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Manifest {
  readonly name: string
  readonly version?: string
  readonly exports?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly engines?: Readonly<Record<string, string>>
}

export interface Member {
  /** The folder from the root of the repository, with slashes; empty for the root itself. */
  readonly folder: string
  readonly manifest: Manifest
}

export interface Source {
  /** From the root of the repository, with slashes. */
  readonly path: string
  readonly text: string
}

export interface Workspace {
  readonly root: Manifest
  readonly members: readonly Member[]
  readonly sources: readonly Source[]
}

export const repository: string = dirname(import.meta.dirname)

export function readWorkspace(root: string = repository): Workspace {
  const members = globSync(['packages/*/package.json', 'tests/*/package.json', 'bench/package.json'], {
    cwd: root,
  }).toSorted()
  const sources = globSync(['packages/*/src/**/*.{ts,tsx,css}', 'tests/*/**/*.ts', 'bench/**/*.ts'], {
    cwd: root,
    exclude: ['**/node_modules'],
  }).toSorted()
  return {
    root: readManifest(join(root, 'package.json')),
    members: members.map((path) => ({ folder: dirname(path), manifest: readManifest(join(root, path)) })),
    sources: sources.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
  }
}

/** Folders of tools and builds, which are not in the repository. */
const foreign = ['node_modules', 'dist', 'coverage', '.git', '.cache']

/** The files of the repository. */
export function repositoryFiles(root: string = repository): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter(({ name }) => !foreign.includes(name))
    .flatMap((entry) =>
      entry.isDirectory()
        ? repositoryFiles(join(root, entry.name)).map((path) => `${entry.name}/${path}`)
        : [entry.name],
    )
}

/** The documents that people read. Golden files and those inside of test data are none. */
export function readDocuments(root: string = repository): Source[] {
  return repositoryFiles(root)
    .filter((path) => path.endsWith('.md') && !path.includes('/golden/'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** The exact version of every dependency that comes from the registry and that the product, or all, declares. */
export function pinsOf(members: readonly { readonly manifest: Manifest }[]): Map<string, string> {
  const pins = new Map<string, string>()
  for (const { manifest } of members) {
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      if (!version.startsWith('workspace:')) pins.set(name, version)
    }
  }
  return pins
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest
}
