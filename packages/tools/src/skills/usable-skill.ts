/** Owns which skills can be used now, and the look at one that a call uses. Refuses one that is paused or not there. */
import {
  type Effect,
  type InstalledExtensions,
  type InstalledSkill,
  type Resource,
  SkillName,
} from '@countersign/contract'
import type { EffectsResult } from '../definition.ts'
import { extensionResource, proposalNamed, skillNamed } from '../extensions/entry.ts'
import type { Inspector } from '../inspector.ts'

export const wantedSkill = SkillName

export function usableSkill(installed: InstalledExtensions, name: string): InstalledSkill | string {
  const skill = skillNamed(installed, name)
  if (skill?.enabled) return skill
  const names = installed.skills.flatMap((each) => (each.enabled ? [each.name] : []))
  if (!skill && proposalNamed(installed, name))
    return `The skill ${name} waits for the operator’s review, and cannot be read or used before it. They review it with \`countersign extension review ${name}\`.`
  const there = names.length === 0 ? 'There is none here.' : `There are: ${names.join(', ')}.`
  return skill ? `The operator paused the skill ${name}.` : `There is no skill ${name}. ${there}`
}

export function useOf(installed: InstalledExtensions, name: string): Resource {
  return extensionResource(installed, { kind: 'skill', name, op: 'use' })
}

/** Of a look into a skill, which changes nothing and leaves the machine nowhere. */
export function lookInto(name: string, path: string, inspect: Inspector): EffectsResult {
  const installed = inspect.extensions()
  const skill = usableSkill(installed, name)
  if (typeof skill === 'string') return { kind: 'invalid', reason: skill }
  // Why a call is refused is told without a label, so no word of the skill stands in it.
  if (!skill.files.some((file) => file.path === path))
    return { kind: 'invalid', reason: `The skill ${name} has no file ${path}. use_skill tells which it has.` }
  const effect: Effect = {
    verb: 'read',
    object: `${path} of the skill ${name}`,
    scope: 'inside',
    reversible: true,
    outward: false,
    leaves: [],
  }
  return { kind: 'found', resources: [useOf(installed, name)], effects: [effect] }
}

const mostListed = 60

export function filesText({ files }: Pick<InstalledSkill, 'files'>): string {
  const names = files.slice(0, mostListed).map(({ path }) => path)
  const more = files.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}
