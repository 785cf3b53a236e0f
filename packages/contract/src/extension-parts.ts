/** Owns what there is of each extension to be used, joined with how often it was: also what never was. */
import type { ExtensionUse } from './api-extensions.ts'
import { type InstalledExtensions, kindOf } from './extension.ts'

export interface PartOfExtension {
  readonly kind: 'server' | 'plugin' | 'skill'
  readonly name: string
  /** An accepted tool of a server or a plugin by its own name; of a skill, the skill itself. */
  readonly part: string
  readonly calls: number
  readonly failures: number
  readonly lastAt: string | null
  /** Where it was not used: since when that is known. */
  readonly unusedSince: string
}

/** What was used and is there no more stands in the ledger, and not here. */
export function extensionParts(
  { servers, skills }: InstalledExtensions,
  use: Pick<ExtensionUse, 'since' | 'extensions'>,
): PartOfExtension[] {
  const partsOf = (name: string) => use.extensions.find((each) => each.name === name)?.parts ?? []
  const unusedSince = (addedAt: string) => (addedAt > use.since ? addedAt : use.since)
  return [
    ...servers.flatMap(({ name, launch, tools, addedAt }) =>
      tools.map(({ listed }) => {
        const { calls, failures, lastAt } = partsOf(name).find(({ part }) => part === listed.name) ?? unused
        const part = listed.name
        return {
          kind: kindOf({ launch }),
          name,
          part,
          calls,
          failures,
          lastAt,
          unusedSince: unusedSince(addedAt),
        }
      }),
    ),
    ...skills.map(({ name, addedAt }) => {
      const parts = partsOf(name).filter(({ part }) => skillTools.includes(part))
      return {
        kind: 'skill' as const,
        name,
        part: 'the skill',
        calls: parts.reduce((sum, { calls }) => sum + calls, 0),
        failures: parts.reduce((sum, { failures }) => sum + failures, 0),
        lastAt:
          parts
            .map(({ lastAt }) => lastAt)
            .toSorted()
            .at(-1) ?? null,
        unusedSince: unusedSince(addedAt),
      }
    }),
  ]
}

/** By which a skill is used. */
const skillTools = ['use_skill', 'read_skill_file', 'run_skill_script']

const unused = { calls: 0, failures: 0, lastAt: null }
