/**
 * Owns what a call touches without naming it: whoever searches, copies or removes a folder touches what is in it, git
 * tells and changes what is in a repository, and a search of files or e-mails by meaning goes through all of them. Adds
 * questions, so that an answer gets stricter and never milder.
 */
import type {
  BuiltInCollection,
  ExecResource,
  FileResource,
  RecordResource,
  Resource,
  UrlResource,
} from '@countersign/contract'
import type { CallFacts } from './facts.ts'
import type { RuleNeeds } from './needs.ts'

const files: BuiltInCollection = 'files'
const emails: BuiltInCollection = 'emails'
/** What a search of files by meaning stands for, and what git does with files. */
const searching = { name: 'search_files', category: 'files' } as const
/** What a search of e-mails by meaning stands for. */
const readingMail = ['read_email', 'search_emails']

/** The same call with the places that rules speak of among what it touches; nothing where it touches none of them. */
export function withPlaces(facts: CallFacts, needs: Pick<RuleNeeds, 'places'>): readonly CallFacts[] {
  return [...withFolders(facts, needs), ...withMailboxes(facts)]
}

function withMailboxes(facts: CallFacts): readonly CallFacts[] {
  const searched = facts.resources.filter((each) => isOf(each, emails))
  if (searched.length === 0) return []
  const servers = searched.flatMap(({ server }) => (server === undefined ? [] : [mailServer(server)]))
  const resources = [...facts.resources, ...servers]
  return readingMail.map((name) => ({ ...facts, resources, tool: { name, category: 'mail' } }))
}

function withFolders(facts: CallFacts, { places }: Pick<RuleNeeds, 'places'>): readonly CallFacts[] {
  const isSearch = facts.resources.some((each) => isOf(each, files))
  const named = facts.resources.flatMap((each) => (goesThrough(each) ? [each.path] : []))
  const versioned = filesOfGit(facts)
  const folders = [...(isSearch ? ['.'] : []), ...named, ...versioned]
  const touched = places.filter(
    (place) => folders.some((folder) => isIn(place, folder)) || versioned.some((path) => isIn(path, place)),
  )
  if (touched.length === 0 && !isSearch) return []
  const added = touched.flatMap((place) => [fileAt(place), fileAt(`${place}/*`)])
  const resources = [...facts.resources, ...(isSearch ? [fileAt('.')] : []), ...added]
  return [{ ...facts, resources, ...(isSearch || versioned.length > 0 ? { tool: searching } : {}) }]
}

/** The commands of git by which a tool tells what files say, or changes it. Others tell names and messages. */
const throughFiles: Readonly<Record<string, string>> = {
  git_add: 'add',
  git_checkout: 'checkout',
  git_diff: 'diff',
}

function filesOfGit({ tool, resources }: CallFacts): string[] {
  const command = Object.hasOwn(throughFiles, tool.name) ? throughFiles[tool.name] : undefined
  if (command === undefined) return []
  return resources.flatMap((each) => (each.type === 'exec' ? filesOf(each, command) : []))
}

/** They stand after the mark; where none does, or one is written in a roundabout way, it is all of the repository. */
function filesOf({ argv, cwd }: ExecResource, command: string): string[] {
  const mark = argv.indexOf('--')
  if (!argv.slice(0, mark).includes(command)) return []
  const files = argv.slice(mark + 1)
  if (files.length === 0 || !files.every(isPlain)) return [cwd]
  return files.map((file) => (cwd === '.' ? file : `${cwd}/${file}`))
}

function isPlain(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}

function isOf(resource: Resource, collection: BuiltInCollection): resource is RecordResource {
  return resource.type === 'record' && resource.collection === collection
}

/** A list tells names and a write makes one file; the others take all that is there. */
function goesThrough(resource: Resource): resource is FileResource {
  return resource.type === 'file' && (resource.op === 'read' || resource.op === 'delete')
}

function isIn(place: string, folder: string): boolean {
  return folder === '.' ? !place.startsWith('/') : place === folder || place.startsWith(`${folder}/`)
}

function fileAt(path: string): FileResource {
  return { type: 'file', root: 'workspace', path, op: 'read', identity: 'absent', content: null }
}

function mailServer(host: string): UrlResource {
  const usual = { redirects: 'refused', carries: 'more', addressClass: 'name' } as const
  return { type: 'url', scheme: 'https', host, port: 993, method: 'IMAP', ...usual }
}
