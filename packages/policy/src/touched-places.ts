/**
 * Owns what a call touches without naming it: whoever searches, copies or removes a folder touches what is in it, and a
 * search of files by meaning goes through all of them. Adds questions, so that an answer gets stricter and never milder.
 */
import type { BuiltInCollection, FileResource, Resource } from '@countersign/contract'
import type { CallFacts } from './facts.ts'
import type { RuleNeeds } from './needs.ts'

const found: BuiltInCollection = 'files'
/** What a search of files by meaning stands for. */
const searching = { name: 'search_files', category: 'files' } as const

/** The same call with the places that rules speak of among what it touches; nothing where it touches none of them. */
export function withPlaces(facts: CallFacts, { places }: Pick<RuleNeeds, 'places'>): readonly CallFacts[] {
  const isSearch = facts.resources.some((each) => each.type === 'record' && each.collection === found)
  const named = facts.resources.flatMap((each) => (goesThrough(each) ? [each.path] : []))
  const folders = isSearch ? ['.', ...named] : named
  const touched = places.filter((place) => folders.some((folder) => isIn(place, folder)))
  if (touched.length === 0 && !isSearch) return []
  const added = touched.flatMap((place) => [fileAt(place), fileAt(`${place}/*`)])
  const resources = [...facts.resources, ...(isSearch ? [fileAt('.')] : []), ...added]
  return [{ ...facts, resources, ...(isSearch ? { tool: searching } : {}) }]
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
