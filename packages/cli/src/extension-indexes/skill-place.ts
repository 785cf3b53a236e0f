/**
 * Owns where the files of a skill are found: a folder or an archive of this computer, or one commit of a repository. Refuses a
 * repository without its whole commit, and every way to one but https.
 */
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { IndexSource } from '@countersign/contract'
import {
  filesInArchive,
  filesInFolder,
  longestSignature,
  readSkillFile,
  type SkillFiles,
  signatureFile,
  skillFile,
  textIn,
} from '@countersign/contract/skills'
import { line } from '../output/safe-text.ts'
import type { RunProgram } from '../run-program.ts'
import { isAddress } from './read-index.ts'
import { repositoryFile } from './source-files.ts'

export interface FoundSkill {
  readonly files: SkillFiles
  /** Where they can be copied from as they are. */
  readonly folder: string | undefined
  /** Where they come from, in words. */
  readonly source: string
  /** Of its publisher; it is none of the files. */
  readonly signature: string | null
}

type Repository = Extract<IndexSource, { kind: 'git' }>

/** `place` is a path, or an address with `#COMMIT` or `#COMMIT:folder` behind it. A text says what is wrong. */
export async function skillAt(place: string, name: string, run: RunProgram): Promise<FoundSkill | string> {
  if (isRepository(place)) return skillInRepository(place, name, run)
  const path = resolve(place)
  const there = await stat(path).catch(() => undefined)
  if (!there) return `There is nothing at ${line(place)}.`
  const found = there.isDirectory() ? await filesInFolder(path) : await filesInArchive(path)
  if (found.kind === 'refused') return found.reason
  const isFolder = there.isDirectory()
  const beside = isFolder ? null : await signatureBeside(path)
  return foundSkill(found.files, { name, source: path, folder: isFolder ? path : undefined, beside })
}

/** How a place is written that `skillAt` reads. */
export function repositoryPlace({ url, commit, path }: Repository): string {
  return `${url}#${commit}${path === undefined ? '' : `:${path}`}`
}

export function isRepository(place: string): boolean {
  return isAddress(place) || place.startsWith('git@')
}

async function skillInRepository(place: string, name: string, run: RunProgram): Promise<FoundSkill | string> {
  const source = repositoryAt(place)
  if (typeof source === 'string') return source
  const file = await repositoryFile(source, run)
  if ('reason' in file) return line(file.reason)
  const found = await filesInArchive(file.path)
  if (found.kind === 'refused') return found.reason
  const { url, commit, path } = source
  const said = `${url} at the commit ${commit}${path === undefined ? '' : `, folder ${path}`}`
  return foundSkill(found.files, { name, source: said, folder: undefined, beside: null })
}

function repositoryAt(place: string): Repository | string {
  const at = place.indexOf('#')
  const [, commit = '', path] = /^([^:]*)(?::(.*))?$/s.exec(at === -1 ? '' : place.slice(at + 1)) ?? []
  if (!/^[0-9a-f]{40}$/.test(commit))
    return `Name the whole commit, 40 digits, as \`--skill ${line(at === -1 ? place : place.slice(0, at))}#COMMIT\` or with --commit. A branch or a tag can become something else.`
  const url = URL.parse(place.slice(0, at))
  if (url?.protocol === 'https:' && url.username + url.password !== '')
    return 'There is a name or a password in the address. It would stand on cards and in what is kept.'
  const parsed = IndexSource.safeParse({
    kind: 'git',
    url: place.slice(0, at),
    commit,
    ...(path === undefined ? {} : { path }),
  })
  if (!parsed.success || parsed.data.kind !== 'git')
    return `A repository is fetched over https only, and its folder is named by plain words: ${line(place)} is neither.`
  return parsed.data
}

/** Where there is a signature among the files, they are copied from elsewhere, without it. */
function foundSkill(
  all: SkillFiles,
  {
    name,
    source,
    folder,
    beside,
  }: Pick<FoundSkill, 'source' | 'folder'> & { readonly name: string; readonly beside: string | null },
): FoundSkill | string {
  const among = all.get(signatureFile)
  const files = new Map([...all].filter(([path]) => path !== signatureFile))
  const problem = skillProblem(files, name, source)
  if (problem !== undefined) return problem
  const signature = among ? (textIn(among.bytes) ?? '') : beside
  return { files, folder: among ? undefined : folder, source, signature }
}

async function signatureBeside(archive: string): Promise<string | null> {
  const path = `${archive}.sig`
  const there = await stat(path).catch(() => undefined)
  return there?.isFile() && there.size <= longestSignature ? readFile(path, 'utf8') : null
}

function skillProblem(files: SkillFiles, name: string, place: string): string | undefined {
  const main = files.get(skillFile)
  const text = main && textIn(main.bytes)
  if (text === undefined) return `There is no ${skillFile} in ${line(place)}.`
  const read = readSkillFile(text, name)
  return read.kind === 'refused' ? `${skillFile}: ${read.reason}` : undefined
}
