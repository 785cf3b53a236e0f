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

/** What a program may be unable to work without: the history of a repository, or the packages of a language. */
export const foreignNeeds = ['history', 'javascript', 'python', 'other'] as const
export type ForeignNeed = (typeof foreignNeeds)[number]

interface FolderName {
  readonly kind: ForeignKind
  readonly need: ForeignNeed | null
}

/** Below any folder of the workspace. */
const byName: ReadonlyMap<string, FolderName> = new Map([
  ...names('node_modules bower_components jspm_packages .pnpm-store .yarn .npm', {
    kind: 'packages',
    need: 'javascript',
  }),
  ...names('python_packages site-packages dist-packages .venv venv .tox .nox .eggs __pypackages__', {
    kind: 'packages',
    need: 'python',
  }),
  ...names(
    'vendor target .cargo .rustup .gradle .m2 .ivy2 pods carthage .bundle elm-stuff .pub-cache .dart_tool',
    { kind: 'packages', need: 'other' },
  ),
  ...names('.git .hg .svn', { kind: 'history', need: 'history' }),
])

/** At the top of the workspace only. */
const atTop: ReadonlyMap<string, FolderName> = new Map(names('attachments', { kind: 'received', need: null }))

/** The outermost such folder on the way to a path of the workspace, or the path itself. */
export function foreignFolderOf(path: string): ForeignFolder | undefined {
  const parts = path.split('/')
  for (const [index, name] of parts.entries()) {
    const kind = foreignKindOf(name, index === 0)
    if (kind) return { path: parts.slice(0, index + 1).join('/'), kind }
  }
  return undefined
}

export function foreignKindOf(name: string, isTop: boolean): ForeignKind | undefined {
  return folderName(name, isTop)?.kind
}

/** Which programs need the folder of that name; null for none. */
export function foreignNeedOf(name: string): ForeignNeed | null {
  return folderName(name, false)?.need ?? null
}

/** In any case of letters: some file systems do not tell them apart. */
function folderName(name: string, isTop: boolean): FolderName | undefined {
  const folded = name.toLowerCase()
  return byName.get(folded) ?? (isTop ? atTop.get(folded) : undefined)
}

function names(words: string, meaning: FolderName): [string, FolderName][] {
  return words.split(' ').map((name) => [name, meaning])
}
