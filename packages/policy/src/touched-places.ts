/**
 * Owns what a call touches without naming it: whoever searches, copies or removes a folder touches what is in it, and a
 * search of files or e-mails by meaning goes through all of them. Adds questions, so that an answer gets stricter and
 * never milder.
 */
import type {
  BuiltInCollection,
  FileResource,
  RecordResource,
  Resource,
  UrlResource,
} from '@countersign/contract'
import type { CallFacts } from './facts.ts'
import type { RuleNeeds } from './needs.ts'

const files: BuiltInCollection = 'files'
const emails: BuiltInCollection = 'emails'
/** What a search of files by meaning stands for. */
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
  const folders = isSearch ? ['.', ...named] : named
  const touched = places.filter((place) => folders.some((folder) => isIn(place, folder)))
  if (touched.length === 0 && !isSearch) return []
  const added = touched.flatMap((place) => [fileAt(place), fileAt(`${place}/*`)])
  const resources = [...facts.resources, ...(isSearch ? [fileAt('.')] : []), ...added]
  return [{ ...facts, resources, ...(isSearch ? { tool: searching } : {}) }]
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
