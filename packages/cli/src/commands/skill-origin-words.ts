/** Owns the words for where a skill comes from that waits or was reviewed: which agent wrote it after reading what, or which server served it. */
import type { SkillAuthor, SkillOrigin } from '@countersign/contract'

export function originWords({ writtenBy, servedBy }: SkillOrigin): string {
  if (servedBy) return `served by ${servedBy.server} at ${servedBy.uri}`
  return writtenBy ? `written ${authorWords(writtenBy)}` : 'nobody knows by whom'
}

/** Who wrote it, and what of others had been read by then. */
function authorWords({ agent, run, label }: SkillAuthor): string {
  const strangers =
    label.integrity === 'untrusted' ? [`words of ${label.sources.join(', ') || 'strangers'}`] : []
  const secret = label.confidentiality === 'secret' ? ['secrets'] : []
  const hidden = label.confidentiality === 'private' ? ['what is private'] : []
  const read = [...strangers, ...secret, ...hidden]
  return `by the agent ${agent} in ${run}${read.length === 0 ? '' : `, after reading ${read.join(' and ')}`}`
}
