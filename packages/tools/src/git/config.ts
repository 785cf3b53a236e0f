/**
 * Owns what a repository's own settings may make git run. Refuses to guess: a section that is not known to be
 * harmless makes every command of that repository count as one that runs programs.
 */

export interface RepositoryConfig {
  /** Why git could run programs in spite of all that is switched off; null if it cannot. */
  readonly runs: string | null
  /** The filters by name, which can be switched off for a command that only looks. */
  readonly filters: readonly string[]
  readonly hasUser: boolean
}

/** Nothing in these makes git run a program, or what does is switched off for every command. */
const harmless = new Set(
  'advice alias apply author blame branch checkout color column commit committer core credential diff feature fetch format gc gpg gui help http i18n index init interactive lfs log maintenance merge pack pager pull push rebase receive remote rerere stash status submodule tag transfer url user'.split(
    ' ',
  ),
)

export function readConfig(text: string): RepositoryConfig {
  const filters = [...text.matchAll(/\[filter\s+"([A-Za-z0-9_-]+)"\s*\]/gi)].map(([, name = '']) => name)
  return { runs: reasonOf(text, filters.length), filters: [...new Set(filters)], hasUser: hasUser(text) }
}

/**
 * Git begins every section with a bracket and its name at once, so each such place is looked at, wherever it stands.
 * That finds more than there is, never less.
 */
function reasonOf(text: string, filters: number): string | null {
  const sections = [...text.matchAll(/\[\s*([A-Za-z0-9-]*)/g)].map(([, name = '']) => name.toLowerCase())
  const named = sections.filter((name) => name === 'filter').length
  if (named !== filters) return 'a filter with a name that is out of the ordinary'
  const unknown = sections.find((name) => !harmless.has(name) && name !== 'filter' && name !== 'extensions')
  if (unknown !== undefined) return `the section [${unknown}]`
  if (/worktreeconfig|partialclone|refstorage|promisor/i.test(text)) return 'settings from elsewhere'
  return null
}

function hasUser(text: string): boolean {
  const section = /\[user\]([^[]*)/i.exec(text)?.[1] ?? ''
  return /^\s*name\s*=\s*\S/im.test(section) && /^\s*email\s*=\s*\S/im.test(section)
}
