/** Owns how a call names something that was let in from outside: by its name, and by the hash of its entry as it is kept. */
import {
  canonicalText,
  type ExtensionResource,
  type InstalledExtensions,
  type InstalledServer,
  type InstalledSkill,
  kindOf,
  type ProposedSkill,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'

/** In the arguments of what servers and plugins share: which of both it is, so that the card says so. */
export const aPlugin = z.literal(true).exactOptional()

export function wordOf(plugin: true | undefined): 'server' | 'plugin' {
  return plugin ? 'plugin' : 'server'
}

export type ExtensionKind = ExtensionResource['kind']

export function extensionResource(
  installed: InstalledExtensions,
  { kind, name, op }: Pick<ExtensionResource, 'kind' | 'name' | 'op'>,
): ExtensionResource {
  const isStrangers = op === 'use' && kind === 'skill' && skillNamed(installed, name)?.reviewed === false
  return {
    type: 'extension',
    kind,
    name,
    op,
    entry: entryHash(installed, kind, name),
    ...(isStrangers ? { unreviewed: true } : {}),
  }
}

/** Null where there is none of this name. */
export function entryHash(installed: InstalledExtensions, kind: ExtensionKind, name: string): string | null {
  const entry = entryNamed(installed, kind, name)
  if (!entry) return null
  // What a server said last is no part of what the operator accepted.
  const kept = { ...entry, offered: null, gone: null, strayed: null, listedAt: null }
  return sha256Hex(canonicalText(JSON.parse(JSON.stringify(kept))))
}

/** A server is no plugin, though both are called in one way. */
export function entryNamed(
  installed: InstalledExtensions,
  kind: ExtensionKind,
  name: string,
): InstalledServer | InstalledSkill | ProposedSkill | undefined {
  if (kind === 'skill') return skillNamed(installed, name)
  if (kind === 'proposal') return proposalNamed(installed, name)
  const server = serverNamed(installed, name)
  return server && kindOf(server) === kind ? server : undefined
}

/**
 * Names are for one extension only. Says what has it already, or nothing. A proposal may have the
 * name of a skill, whose place it takes only by a review.
 */
export function takenBy(
  installed: InstalledExtensions,
  kind: ExtensionKind,
  name: string,
): string | undefined {
  const other = (['server', 'plugin', 'skill'] as const).find(
    (each) =>
      each !== kind && !(each === 'skill' && kind === 'proposal') && entryNamed(installed, each, name),
  )
  return other && `There is a ${other} ${name}. Names are for one extension only.`
}

/** A plugin too. */
export function serverNamed({ servers }: InstalledExtensions, name: string): InstalledServer | undefined {
  return servers.find((each) => each.name === name)
}

export function skillNamed({ skills }: InstalledExtensions, name: string): InstalledSkill | undefined {
  return skills.find((each) => each.name === name)
}

export function proposalNamed({ proposals }: InstalledExtensions, name: string): ProposedSkill | undefined {
  return proposals.find((each) => each.name === name)
}
