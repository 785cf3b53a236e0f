/**
 * Owns which folders hold what strangers wrote, whoever put it there: the packages that a manager fetched, the history
 * of a repository, and what was handed in. A table, so that reading can be judged without a look at the files.
 */

/**
 * `packages` and `received` are trusted only when the operator names the folder itself; `history` also when they name
 * a folder around it.
 */
export type ForeignKind = 'packages' | 'history' | 'received'

export interface ForeignFolder {
  readonly path: string
  readonly kind: ForeignKind
}

/** Below any folder of the workspace. */
const byName: ReadonlyMap<string, ForeignKind> = new Map([
  ...names(
    'packages',
    'node_modules bower_components jspm_packages .pnpm-store .yarn .npm python_packages site-packages dist-packages .venv venv .tox .nox .eggs __pypackages__ vendor target .cargo .rustup .gradle .m2 .ivy2 pods carthage .bundle elm-stuff .pub-cache .dart_tool',
  ),
  ...names('history', '.git .hg .svn'),
])

/** At the top of the workspace only. */
const atTop: ReadonlyMap<string, ForeignKind> = new Map(names('received', 'attachments'))

/** The outermost such folder on the way to a path of the workspace, or the path itself. */
export function foreignFolderOf(path: string): ForeignFolder | undefined {
  const parts = path.split('/')
  for (const [index, name] of parts.entries()) {
    const kind = foreignKindOf(name, index === 0)
    if (kind) return { path: parts.slice(0, index + 1).join('/'), kind }
  }
  return undefined
}

/** In any case of letters: some file systems do not tell them apart. */
export function foreignKindOf(name: string, isTop: boolean): ForeignKind | undefined {
  const folded = name.toLowerCase()
  return byName.get(folded) ?? (isTop ? atTop.get(folded) : undefined)
}

function names(kind: ForeignKind, words: string): [string, ForeignKind][] {
  return words.split(' ').map((name) => [name, kind])
}
