/** Owns the words for which agent wrote a skill, and after reading what. */
import type { SkillAuthor } from '@countersign/contract'

/** Who wrote it, and what of others had been read by then. */
export function authorWords({ agent, run, label }: SkillAuthor): string {
  const strangers =
    label.integrity === 'untrusted' ? [`words of ${label.sources.join(', ') || 'strangers'}`] : []
  const secret = label.confidentiality === 'secret' ? ['secrets'] : []
  const hidden = label.confidentiality === 'private' ? ['what is private'] : []
  const read = [...strangers, ...secret, ...hidden]
  return `by the agent ${agent} in ${run}${read.length === 0 ? '' : `, after reading ${read.join(' and ')}`}`
}
