/** Owns how a call names something that was let in from outside: by its name, and by the hash of its entry as it is kept. */
import {
  canonicalText,
  type ExtensionResource,
  type InstalledExtensions,
  type InstalledServer,
  type InstalledSkill,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'

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
  const entry = kind === 'server' ? serverNamed(installed, name) : skillNamed(installed, name)
  if (!entry) return null
  // What a server said last is no part of what the operator accepted.
  const kept = { ...entry, offered: null, gone: null, listedAt: null }
  return sha256Hex(canonicalText(JSON.parse(JSON.stringify(kept))))
}

export function serverNamed({ servers }: InstalledExtensions, name: string): InstalledServer | undefined {
  return servers.find((each) => each.name === name)
}

export function skillNamed({ skills }: InstalledExtensions, name: string): InstalledSkill | undefined {
  return skills.find((each) => each.name === name)
}
