/** Owns which changes of a package.json are only words. All others decide what package managers and their tools run. */
import { canonicalText, type JsonObject, parseStrict } from '@countersign/contract'

/** Fields that name, describe or publish the package. Whatever is not here is taken for something that runs. */
const words = new Set([
  'name',
  'version',
  'description',
  'keywords',
  'homepage',
  'bugs',
  'license',
  'licenses',
  'author',
  'authors',
  'contributors',
  'maintainers',
  'funding',
  'repository',
  'private',
  'type',
  'files',
  'sideEffects',
  'types',
  'typings',
])

/** False also where either text is not JSON that every reader understands alike. */
export function changesOnlyWords(before: string, after: string): boolean {
  const [was, is] = [objectIn(before), objectIn(after)]
  if (!was || !is) return false
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].every(
    (field) => words.has(field) || same(was[field], is[field]),
  )
}

function objectIn(text: string): JsonObject | undefined {
  const parsed = parseStrict(text)
  if (parsed.kind === 'refused' || typeof parsed.value !== 'object') return undefined
  return parsed.value === null || Array.isArray(parsed.value) ? undefined : (parsed.value as JsonObject)
}

function same(left: JsonObject[string] | undefined, right: JsonObject[string] | undefined): boolean {
  if (left === undefined || right === undefined) return left === right
  return canonicalText(left) === canonicalText(right)
}
