/**
 * Owns what becomes of a channel whose plugin was removed: it is paused and says so, and it stays paused when a plugin of that
 * name comes back, however soon, because its credential was given to other code.
 */
import {
  type Channel,
  isPluginChannelKind,
  type OperatorId,
  pluginOfChannelKind,
} from '@countersign/contract'
import type { RecordTransactions } from '@countersign/kernel'
import type { ChannelKinds } from './channel-kinds.ts'
import type { ChannelStore } from './channel-store.ts'

export interface OrphanParts {
  readonly store: Pick<ChannelStore, 'choose'>
  readonly records: Pick<RecordTransactions, 'change'>
  readonly operator: OperatorId
  readonly kinds: Pick<ChannelKinds, 'find' | 'broughtAt'>
}

const actor = { kind: 'gateway', id: 'channels' } as const

/** Whether there was one. */
export async function pauseOrphans(
  { store, records, operator, kinds }: OrphanParts,
  kept: readonly Channel[],
): Promise<boolean> {
  const orphans = kept.filter(
    ({ kind, choices, broughtAt }) =>
      isPluginChannelKind(kind) &&
      !choices.paused &&
      (!kinds.find(kind) || kinds.broughtAt(kind) !== broughtAt),
  )
  for (const { name, kind } of orphans) {
    await store.choose({ operator, actor }, name, { paused: true })
    await records.change(operator, async (tx) => {
      const plugin = pluginOfChannelKind(kind)
      tx.record({ type: 'channel.plugin_gone', actor, data: { name, plugin } })
      tx.emit({
        type: 'notice',
        about: 'channels',
        text: `The plugin ${plugin} was removed, so the channel ${name} is paused. Remove the channel too if you do not need it.`,
      })
    })
  }
  return orphans.length > 0
}
