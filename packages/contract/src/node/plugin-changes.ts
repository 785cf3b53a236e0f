/** Owns what a plugin may do otherwise than now, as the operator is shown it. Empty where that stays. */
import type { InstalledServer } from '../extension.ts'
import { pluginRights } from '../plugin.ts'
import { lineChanges } from './line-changes.ts'

export function rightsChanges({ launch, tools }: InstalledServer, rights: string): string {
  if (launch.kind !== 'plugin') return ''
  const before = pluginRights(
    launch,
    tools.map(({ listed, tier }) => ({ name: listed.name, tier })),
  )
  return before === rights ? '' : lineChanges(before, rights)
}
