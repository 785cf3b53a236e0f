/** Owns the record of the operator's devices. A device that was revoked has no key here any more. */
import { DeviceId, type OperatorId } from '@countersign/contract'
import { sql } from 'kysely'
import type { Store } from './store.ts'

export type Devices = ReturnType<typeof createDevices>

export interface KnownDevice {
  readonly operator: OperatorId
  readonly name: string
  readonly key: string
}

export function createDevices(store: Store) {
  /** Looks a device up before its operator is known; only that one row can be seen. */
  async function lookUp(id: DeviceId): Promise<KnownDevice | null> {
    const device = DeviceId.safeParse(id)
    if (!device.success) return null
    const row = await store.system.transaction().execute(async (transaction) => {
      await sql`select set_config('app.device', ${device.data}, true)`.execute(transaction)
      return transaction.selectFrom('devices').selectAll().where('id', '=', device.data).executeTakeFirst()
    })
    return row && row.revoked_at === null
      ? { operator: row.operator_id, name: row.name, key: row.public_key }
      : null
  }

  return {
    lookUp,
    /** Makes the operator's row and brings the devices in line with the trust file of this host. */
    async enrol(
      operator: OperatorId,
      devices: readonly {
        id: DeviceId
        name: string
        key: string
        addedAt: string
        revokedAt: string | null
      }[],
      now: Date,
    ): Promise<void> {
      await store.transact(operator, async ({ db }) => {
        await db
          .insertInto('operators')
          .values({ id: operator, created_at: now })
          .onConflict((on) => on.doNothing())
          .execute()
        for (const device of devices) {
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
            })
            .onConflict((on) => on.column('id').doUpdateSet({ name: device.name, revoked_at: revoked }))
            .execute()
        }
      })
    },
    async keyOf(operator: OperatorId, id: DeviceId): Promise<string | null> {
      const device = await lookUp(id)
      return device?.operator === operator ? device.key : null
    },
  }
}
