/** Owns the name of the operator, kept in the profile that agents are told, and whether a passkey stands behind it. */
import type { Profile, ProfileView } from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import type { SetupStepHandler } from './setup-step.ts'

export interface YouStepParts {
  readonly profiles: {
    get(): Promise<ProfileView>
    set(by: Actor, profile: Profile): Promise<unknown>
  }
  /** Whether a passkey is registered. */
  readonly hasPasskey: () => Promise<boolean>
}

export function youStep({ profiles, hasPasskey }: YouStepParts): SetupStepHandler<'you'> {
  return {
    skippable: true,
    async look() {
      const { profile } = await profiles.get()
      return { data: { name: profile.name ?? null, passkey: await hasPasskey() } }
    },
    async answer({ actor }, { name }) {
      const { profile } = await profiles.get()
      await profiles.set(actor, { ...profile, name: name.trim() })
      return { done: true }
    },
  }
}
