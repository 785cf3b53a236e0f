/**
 * Owns how the git tools see a repository: the files that say where it stands, each bound by the call. Looked at
 * before the decision and read again by the capabilities, with the same answer. Refuses repositories whose files lie elsewhere.
 */
import type { FileResource } from '@countersign/contract'
import type { ToolCapabilities } from '../capabilities.ts'
import type { EffectsResult } from '../definition.ts'
import { fileResource, inspectFile } from '../files/file-effects.ts'
import type { FileLocation, Inspector } from '../inspector.ts'
import { type RepositoryConfig, readConfig } from './config.ts'
import { objectId } from './names.ts'

export interface Repository {
  /** The folder that holds `.git`. */
  readonly location: FileLocation
  readonly head: Head
  readonly config: RepositoryConfig
  /** Where a reference stands; null if there is none. */
  tip(ref: string): Promise<{ readonly kind: 'tip'; readonly id: string | null } | EffectsFailure>
  /** Fails while a merge or the like is under way, which a commit would end and no undo could bring back. */
  settled(): Promise<{ readonly kind: 'settled' } | EffectsFailure>
}

export type Head =
  | { readonly kind: 'branch'; readonly ref: string; readonly name: string }
  | { readonly kind: 'detached'; readonly id: string }

export type EffectsFailure = Exclude<EffectsResult, { kind: 'found' }>

/** Looks at the repository and notes every file that was looked at. */
export async function seeRepository(
  path: string,
  inspect: Inspector,
): Promise<{ kind: 'repository'; repository: Repository; resources: FileResource[] } | EffectsFailure> {
  const folder = await inspectFile(path, inspect)
  if (folder.kind !== 'seen') return folder
  const git = await inspectFile(locationIn(folder.location, '.git').path, inspect)
  if (git.kind !== 'seen') return git
  if (git.inspection.kind !== 'directory') return { kind: 'invalid', reason: noRepository(path) }
  const resources: FileResource[] = []
  const read = async (name: string): Promise<ReadText> => {
    const location = locationIn(folder.location, name)
    const seen = await inspectFile(location.path, inspect)
    if (seen.kind !== 'seen') return seen
    if (seen.inspection.kind === 'directory')
      return { kind: 'invalid', reason: `${location.path} is a folder.` }
    if (!resources.some((resource) => resource.path === location.path))
      resources.push(fileResource('read', seen))
    if (seen.inspection.kind === 'absent') return { kind: 'absent' }
    const text = await inspect.text(location, longestFile)
    if (text.kind === 'refused') return { kind: 'invalid', reason: text.reason }
    if (text.kind === 'unavailable') return text
    if (text.truncated) return { kind: 'invalid', reason: `${location.path} is too large.` }
    if (text.content !== seen.inspection.content)
      return { kind: 'invalid', reason: `${location.path} is being changed. Try again.` }
    return { kind: 'text', text: text.text }
  }
  const repository = await repositoryFrom(path, folder.location, read)
  return repository.kind === 'repository' ? { ...repository, resources } : repository
}

/** The same for the capabilities, which reach only what was bound. */
export async function openRepository(
  path: string,
  capabilities: ToolCapabilities,
): Promise<{ kind: 'repository'; repository: Repository } | { kind: 'failed'; reason: string }> {
  const folder = capabilities.files.locate(path)
  if (folder.root === 'nowhere') return { kind: 'failed', reason: folder.reason }
  const read = async (name: string): Promise<ReadText> => {
    const location = locationIn(folder, name)
    if (capabilities.files.bound(location)?.identity === 'absent') return { kind: 'absent' }
    const outcome = await capabilities.files.read(location, longestFile)
    if (outcome.kind === 'failed') return { kind: 'invalid', reason: outcome.reason }
    return { kind: 'text', text: new TextDecoder().decode(outcome.bytes) }
  }
  const repository = await repositoryFrom(path, folder, read)
  return repository.kind === 'repository' ? repository : { kind: 'failed', reason: repository.reason }
}

export function locationIn(folder: FileLocation, name: string): FileLocation {
  return { root: folder.root, path: folder.path === '.' ? name : `${folder.path}/${name}` }
}

type ReadText = { kind: 'text'; text: string } | { kind: 'absent' } | EffectsFailure

const longestFile = 1024 * 1024

async function repositoryFrom(
  path: string,
  location: FileLocation,
  read: (name: string) => Promise<ReadText>,
): Promise<{ kind: 'repository'; repository: Repository } | EffectsFailure> {
  const headFile = await read('.git/HEAD')
  if (headFile.kind === 'absent') return { kind: 'invalid', reason: noRepository(path) }
  if (headFile.kind !== 'text') return headFile
  const head = headOf(headFile.text)
  if (!head) return { kind: 'invalid', reason: `${path}/.git/HEAD says neither a branch nor a commit.` }
  const configFile = await read('.git/config')
  if (configFile.kind !== 'text' && configFile.kind !== 'absent') return configFile
  const commonFolder = await read('.git/commondir')
  if (commonFolder.kind !== 'absent')
    return commonFolder.kind === 'text'
      ? { kind: 'invalid', reason: `${path} is a linked worktree. Use its main repository.` }
      : commonFolder
  const config = readConfig(configFile.kind === 'text' ? configFile.text : '')
  return {
    kind: 'repository',
    repository: {
      location,
      head,
      config,
      async tip(ref) {
        const loose = await read(`.git/${ref}`)
        if (loose.kind === 'text') return tipOf(loose.text.trim(), ref)
        if (loose.kind !== 'absent') return loose
        const packed = await read('.git/packed-refs')
        if (packed.kind === 'absent') return { kind: 'tip', id: null }
        if (packed.kind !== 'text') return packed
        const line = packed.text.split('\n').find((entry) => entry.endsWith(` ${ref}`))
        return line === undefined ? { kind: 'tip', id: null } : tipOf(line.split(' ')[0] ?? '', ref)
      },
      async settled() {
        for (const name of ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD']) {
          const file = await read(`.git/${name}`)
          if (file.kind === 'text')
            return { kind: 'invalid', reason: `${name} says that a merge is under way. End it first.` }
          if (file.kind !== 'absent') return file
        }
        return { kind: 'settled' }
      },
    },
  }
}

function headOf(text: string): Head | undefined {
  const branch = /^ref: (refs\/heads\/([^\s~^:?*[\\]+))\n?$/.exec(text)
  if (branch) return { kind: 'branch', ref: branch[1] ?? '', name: branch[2] ?? '' }
  const id = objectId.safeParse(text.trim())
  return id.success ? { kind: 'detached', id: id.data } : undefined
}

function tipOf(text: string, ref: string): { kind: 'tip'; id: string } | EffectsFailure {
  const id = objectId.safeParse(text)
  return id.success
    ? { kind: 'tip', id: id.data }
    : { kind: 'invalid', reason: `${ref} does not name a commit.` }
}

function noRepository(path: string): string {
  return `There is no git repository in ${path}. Name the folder that holds .git, or make one with git init.`
}
