/** Owns what the words of a skill are worth: those of a stranger until the operator has reviewed them. */
import type { InstalledSkill, Label } from '@countersign/contract'

/** What the operator reviewed is no order of theirs, and no stranger's text either. Skills hold nothing private. */
export const reviewedLabel: Label = { integrity: 'tool', confidentiality: 'public', sources: [] }

export function wordsLabel({ name, reviewed }: Pick<InstalledSkill, 'name' | 'reviewed'>): Label {
  return reviewed
    ? reviewedLabel
    : { integrity: 'untrusted', confidentiality: 'public', sources: [`skill ${name}`] }
}

/** A script tells of the workspace that it saw. */
export function scriptLabel(skill: Pick<InstalledSkill, 'name' | 'reviewed'>): Label {
  return { ...wordsLabel(skill), confidentiality: 'private' }
}

export const ownLabel: Label = { integrity: 'tool', confidentiality: 'private', sources: [] }
