/** Owns what the operator says of themselves. Nothing in it gives an agent authority. */
import { type JsonObject, Profile, type ProfileChanged, type ProfileView } from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import { profileCollection } from '../agents/collections.ts'
import type { AssistantContext, AssistantTransaction } from '../assistant-context.ts'

export interface Profiles {
  get(): Promise<ProfileView>
  set(by: Actor, profile: Profile): Promise<ProfileChanged>
}

const profileId = 'operator'

export async function profileIn({ records }: Pick<AssistantTransaction, 'records'>): Promise<ProfileView> {
  const record = await records.get(profileCollection, profileId)
  if (!record) return { profile: Profile.parse({}), label: null, updatedAt: null }
  return { profile: Profile.parse(record.data), label: record.label, updatedAt: record.updatedAt }
}

export function createProfiles({
  operator,
  records: port,
}: Pick<AssistantContext, 'operator' | 'records'>): Profiles {
  return {
    get: () => port.single(operator, profileIn),
    async set(by, profile) {
      const { ledger } = await port.change(operator, async ({ records, record }) => {
        const before = await records.get(profileCollection, profileId)
        const data = profile as JsonObject
        // Set as a whole by the operator, so nothing of what was there before is left.
        if (before) await records.replace(profileCollection, profileId, before.version, data, null)
        else await records.insert(profileCollection, profileId, data, null)
        record({ type: 'profile.changed', actor: by, data: { fields: Object.keys(profile) } })
      })
      return { profile, ledger }
    },
  }
}
