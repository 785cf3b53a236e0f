/** Owns the record of the operator's devices. A device that was revoked has no key here any more. */
import { DeviceId, type DeviceReach, type OperatorId } from '@countersign/contract'
import { type Selectable, sql } from 'kysely'
import type { Store } from './store.ts'
import type { Tables } from './tables.ts'

export type Devices = ReturnType<typeof createDevices>

export interface KnownDevice {
  readonly operator: OperatorId
  readonly name: string
  readonly key: string
  readonly reach: DeviceReach
  readonly platform: string
}

/** A device as it is believed on this host. */
export interface EnrolledDevice {
  readonly id: DeviceId
  readonly name: string
  readonly key: string
  readonly addedAt: string
  readonly revokedAt: string | null
  /** A device of the trust file itself seals. */
  readonly reach?: DeviceReach
  readonly platform?: string
}

export function createDevices(store: Store) {
  /** Looks a device up before its operator is known; only that one row can be seen. */
  async function lookUp(id: DeviceId): Promise<KnownDevice | null> {
    const device = DeviceId.safeParse(id)
    if (!device.success) return null
    const { rows } = await sql<Selectable<Tables['devices']>>`
      select * from look_up_device(${device.data})`.execute(store.system)
    const [row] = rows
    if (!row || row.revoked_at !== null) return null
    const { operator_id: operator, name, public_key: key, reach, platform } = row
    return { operator, name, key, reach, platform }
  }

  return {
    lookUp,
    /**
     * Makes the operator's row and brings the devices in line with what is believed on this host: all of them, so that
     * one which is not among them any more is revoked. A name that the operator gave stays.
     */
    async enrol(operator: OperatorId, devices: readonly EnrolledDevice[], now: Date): Promise<void> {
      await store.transact(operator, async ({ db }) => {
        await db
          .insertInto('operators')
          .values({ id: operator, created_at: now })
          .onConflict((on) => on.doNothing())
          .execute()
        for (const device of devices) {
          const { reach = 3, platform = '' } = device
          const revoked = device.revokedAt ? new Date(device.revokedAt) : null
          await db
            .insertInto('devices')
            .values({
              operator_id: operator,
              id: device.id,
              name: device.name,
              public_key: device.key,
              added_at: new Date(device.addedAt),
              revoked_at: revoked,
              reach,
              platform,
            })
            .onConflict((on) =>
              on.column('id').doUpdateSet(({ fn, ref }) => ({
                // Revoking is permanent, whatever an older file says.
                revoked_at: fn.coalesce(ref('devices.revoked_at'), ref('excluded.revoked_at')),
                reach,
                platform,
              })),
            )
            .execute()
        }
        const known = devices.map(({ id }) => id)
        await db
          .updateTable('devices')
          .set({ revoked_at: now })
          .where('revoked_at', 'is', null)
          .$if(known.length > 0, (query) => query.where('id', 'not in', known))
          .execute()
      })
    },
    async rename(operator: OperatorId, id: DeviceId, name: string): Promise<void> {
      await store.transact(operator, ({ db }) =>
        db.updateTable('devices').set({ name }).where('id', '=', id).execute(),
      )
    },
  }
}
