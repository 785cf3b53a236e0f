/**
 * Owns what the words of a skill are worth: those of a stranger until the operator has reviewed them. What an agent wrote is as
 * private as what it had read.
 */
import {
  type InstalledSkill,
  type Label,
  type ProposedSkill,
  skillConfidentiality,
} from '@countersign/contract'

/** What the operator reviewed is no order of theirs, and no stranger's text either. */
export const reviewedLabel: Label = { integrity: 'tool', confidentiality: 'public', sources: [] }

type Words = Pick<InstalledSkill, 'name' | 'reviewed' | 'writtenBy' | 'servedBy'>

export function wordsLabel({ name, reviewed, ...origin }: Words): Label {
  return reviewed
    ? { ...reviewedLabel, confidentiality: skillConfidentiality(origin) }
    : { integrity: 'untrusted', confidentiality: 'public', sources: [`skill ${name}`] }
}

/** A script tells of the workspace that it saw. */
export function scriptLabel(skill: Words): Label {
  const label = wordsLabel(skill)
  return label.confidentiality === 'secret' ? label : { ...label, confidentiality: 'private' }
}

/** Nobody vouches for it before the review. */
export function proposalLabel({
  name,
  ...origin
}: Pick<ProposedSkill, 'name' | 'writtenBy' | 'servedBy'>): Label {
  return { integrity: 'untrusted', confidentiality: skillConfidentiality(origin), sources: [`skill ${name}`] }
}
