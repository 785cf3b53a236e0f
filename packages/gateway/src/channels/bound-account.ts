/**
 * Owns to which account on the platform the rows of a channel belong. When another account stands under its name, nothing of the
 * former counts for it: nobody who was let in there, nothing that was said and nothing that waits.
 */
import type { ChannelManifest } from '@countersign/channels'
import type { Channel } from '@countersign/contract'
import type { RecordTransaction } from '@countersign/kernel'
import { z } from 'zod'
import { channelDb } from './tables.ts'

/** Ids of the platform are told apart by it: another account, another place, or the same after a removal has another. */
export interface BoundAccount {
  readonly epoch: string
  /** Rows of another account were forgotten now. */
  readonly changed: boolean
}

const Kept = z.object({ account: z.string(), epoch: z.string() })

/** No channel has such a name. */
const rowOf = (channel: string): string => `@${channel}`

export async function bindAccount(
  tx: RecordTransaction,
  { name, kind, settings, broughtAt }: Pick<Channel, 'name' | 'kind' | 'settings' | 'broughtAt'>,
  { identity }: Pick<ChannelManifest, 'identity'>,
  account: { readonly id: string; readonly name: string },
  uuid: () => string,
): Promise<BoundAccount> {
  const rows = channelDb(tx.db)
  const row = await rows
    .selectFrom('channel_states')
    .select('state')
    .where('channel', '=', rowOf(name))
    .forUpdate()
    .executeTakeFirst()
  const kept = row && Kept.parse(JSON.parse(row.state))
  // The account is what the channel says that it is, so another plugin of the name is another one.
  const brought = broughtAt === undefined ? [] : [broughtAt]
  const now = JSON.stringify([kind, identity?.(settings, account.id) ?? account.id, ...brought])
  if (kept?.account === now) return { epoch: kept.epoch, changed: false }
  if (kept) {
    await forgetRows(tx, name)
    const actor = { kind: 'gateway', id: 'channels' } as const
    tx.record({ type: 'channel.account_changed', actor, data: { name, account: account.id } })
    tx.emit({
      type: 'notice',
      about: 'channels',
      text: `The channel ${name} is another account now. Nobody is let in there any more: write to it, and let yourself in again.`,
    })
    tx.emit({ type: 'channels.changed' })
  }
  const epoch = uuid()
  await rows
    .insertInto('channel_states')
    .values({
      operator_id: tx.operator,
      channel: rowOf(name),
      state: JSON.stringify({ account: now, epoch }),
    })
    .execute()
  return { epoch, changed: kept !== undefined }
}

/** What was sent and taken, who was let in, and how far it was: all that is kept under the name of a channel. */
export async function forgetRows({ db }: RecordTransaction, name: string): Promise<void> {
  const rows = channelDb(db)
  await rows.deleteFrom('channel_inbox').where('channel', '=', name).execute()
  await rows.deleteFrom('channel_outbox').where('channel', '=', name).execute()
  await rows.deleteFrom('channel_chats').where('channel', '=', name).execute()
  await rows.deleteFrom('channel_peers').where('channel', '=', name).execute()
  await rows
    .deleteFrom('channel_states')
    .where('channel', 'in', [name, rowOf(name)])
    .execute()
}
