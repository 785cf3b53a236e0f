/** Owns a repository with a file that git must read anew, and attributes that would hand it to a filter. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export function makeFilteredRepository(repository: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { stdio: 'pipe' })
  execFileSync('git', ['init', '-q', '-b', 'main', repository], { stdio: 'pipe' })
  writeFileSync(join(repository, '.gitattributes'), '* filter=evil\n')
  writeFileSync(join(repository, 'notes.txt'), 'one\n')
  git('add', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'one')
  writeFileSync(join(repository, 'notes.txt'), 'two\n')
}

/** The settings that make the filter say the word. */
export function filterSaying(word: string): string {
  return `[filter "evil"]\n\tclean = "echo ${word} >&2; false"\n\trequired = true\n`
}
