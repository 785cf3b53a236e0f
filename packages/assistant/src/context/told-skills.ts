/** Owns which skills a prompt tells of, and that it says of an unreviewed one nothing but its name. What an agent wrote and nobody reviewed is not told of. */
import {
  type AgentKind,
  type InstalledExtensions,
  operatorLabel,
  skillConfidentiality,
  type ToolCatalogue,
} from '@countersign/contract'
import type { SkillItem } from './composer.ts'

/** A plan has its steps, the feed tells what happened, and a guest's words are those of others. */
const unskilled: readonly AgentKind[] = ['plan', 'feed', 'guest']

/** Who cannot read skills is not told of them. */
export function skillsToldTo(
  kind: AgentKind,
  catalogue: Pick<ToolCatalogue, 'find'>,
  extensions: (() => InstalledExtensions) | undefined,
): { readonly skills?: readonly SkillItem[] } {
  if (unskilled.includes(kind) || !extensions || !catalogue.find('use_skill')) return {}
  const skills = extensions()
    .skills.filter(({ enabled }) => enabled)
    .map(({ name, description, reviewed, ...origin }) => ({
      name,
      description: reviewed
        ? { text: description, label: { ...operatorLabel, confidentiality: skillConfidentiality(origin) } }
        : null,
    }))
  return skills.length > 0 ? { skills } : {}
}
