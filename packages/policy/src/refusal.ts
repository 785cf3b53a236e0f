/**
 * Owns the rule by which the operator refuses a kind of call from now on. It names one tool, and what the call touches or
 * the folder that holds it. Whatever those names are made of, they stay strings of the rule.
 */
import { type Language, RefusalStop, type Resource } from '@countersign/contract'
import { sayRule } from './rule-sentence.ts'

export interface RefusedCall {
  readonly tool: string
  readonly resources: readonly Resource[]
}

/** Every refusal that can be made of the call, as people would say it. */
export function refusalsOf(
  call: RefusedCall,
  language: Language,
): { readonly stop: RefusalStop; readonly sentence: string }[] {
  return RefusalStop.options.flatMap((stop) => {
    const text = refusalAt(stop, call)
    if (text === null) return []
    const rule = { id: stop, file: '', line: 1, why: '', effect: 'forbid' as const, text }
    return [{ stop, sentence: sayRule(rule, language).sentence }]
  })
}

/** Null when the call has nothing of the kind that a rule could name. A call that touches any of it is refused. */
export function refusalAt(stop: RefusalStop, { tool, resources }: RefusedCall): string | null {
  const head = `forbid (principal, action, resource == Tool::${quoted(tool)})`
  if (stop === 'tool') return `${head};`
  const hosts = resources.flatMap((resource) => (resource.type === 'url' ? [resource.host] : []))
  const paths = resources.flatMap((resource) =>
    resource.type === 'file' || resource.type === 'exec' ? [resource.path] : [],
  )
  const named: readonly (readonly [string, readonly (string | null)[]])[] =
    stop === 'target'
      ? [
          ['paths', paths],
          ['hosts', hosts],
        ]
      : [['folders', resources.map(folderOf)]]
  const parts = named.flatMap(([attribute, names]) => {
    const known = [...new Set(names.filter((name) => name !== null))]
    return known.length === 0 ? [] : [`context.${attribute}.containsAny([${known.map(quoted).join(', ')}])`]
  })
  return parts.length === 0 ? null : `${head}\nwhen { ${parts.join(' || ')} };`
}

function folderOf(resource: Resource): string | null {
  if (resource.type !== 'file') return null
  const slash = resource.path.lastIndexOf('/')
  return slash === -1 ? null : resource.path.slice(0, Math.max(slash, 1))
}

/** What is neither a letter, a digit nor plainly harmless is written by its number, so that nothing ends the string. */
function quoted(text: string): string {
  const body = Array.from(text, (character) =>
    /^[\w ./:@+-]$/.test(character) ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )
  return `"${body.join('')}"`
}
