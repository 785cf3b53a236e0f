/**
 * Owns the level of autonomy while the gateway runs: a change takes hold with the next call and is written to the
 * configuration. Refuses to change what the environment says, which would come back at the next start.
 */
import { type Autonomy, CountersignError } from '@countersign/contract'
import { readSettings } from '@countersign/contract/node'
import { changeConfigurationFile } from './configuration-file.ts'

export interface AutonomyParts {
  readonly file: string
  readonly level: Autonomy
  /** The environment says it. */
  readonly fixed: boolean
}

/** Compiles the policy with this level and takes it over, or throws and changes nothing. */
export type LoadLevel = (level: Autonomy) => Promise<unknown>

export interface AutonomyAdmin {
  current(): Autonomy
  /** Why it cannot be changed here. */
  fixed(): string | null
  /** Another policy took hold. */
  moved(level: Autonomy): void
  set(level: Autonomy, load: LoadLevel): Promise<void>
}

export function createAutonomy({ file, level, fixed }: AutonomyParts): AutonomyAdmin {
  let now = level
  const reason = fixed ? 'The variable COUNTERSIGN_AUTONOMY of the gateway sets it.' : null
  return {
    current: () => now,
    fixed: () => reason,
    moved(level) {
      now = level
    },
    async set(wanted, load) {
      if (wanted === now && wanted === readSettings(file)['autonomy']) return
      if (reason !== null)
        throw new CountersignError('conflict', `The level of autonomy cannot be changed here. ${reason}`, {
          next: 'Unset it, then run `countersign down` and `countersign up`.',
        })
      const before = now
      await load(wanted)
      try {
        // A change of the policy writes it too; then there is nothing left to write.
        changeConfigurationFile(file, { autonomy: wanted })
      } catch (error) {
        // What would be gone at the next start must not hold now.
        await load(before)
        throw error
      }
      now = wanted
    },
  }
}
