/** Owns what the origin of a skill says of it: how private its words are, and whether two come from the same place. */
import type { SkillAuthor, SkillServer } from './extension.ts'
import type { Label } from './trust.ts'

/** Neither is there where the operator let the skill in by hand. */
export interface SkillOrigin {
  readonly writtenBy?: SkillAuthor | undefined
  readonly servedBy?: Pick<SkillServer, 'server' | 'uri'> | undefined
}

/** What an agent wrote is as private as what it had read. What a server says may be about what is the operator's. */
export function skillConfidentiality({ writtenBy, servedBy }: SkillOrigin): Label['confidentiality'] {
  return servedBy ? 'private' : (writtenBy?.label.confidentiality ?? 'public')
}

/** A new version comes from where the former one came from: an agent, or one address at one server. */
export function isOfSameOrigin(former: SkillOrigin, next: SkillOrigin): boolean {
  if (next.servedBy === undefined) return former.writtenBy !== undefined
  const { server, uri } = next.servedBy
  return former.servedBy?.server === server && former.servedBy.uri === uri
}
