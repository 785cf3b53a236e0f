/** Owns a plugin as it was let in, and what an update of it is given where the operator says nothing more. */
import { listedAs, type PluginLaunch, type PluginTool, type Tier } from '@countersign/contract'
import { hostsOf, tiersOf } from '../../../../../packages/cli/src/commands/extension-plugin.ts'

export const house = { host: 'house.test', port: 443 }
export const abroad = { host: 'abroad.test', port: 443 }

type Given = Pick<PluginLaunch, 'hosts' | 'folders' | 'secrets' | 'data'>

export const nothingGiven: Given = { hosts: [], folders: [], secrets: {}, data: false }

export const looks: PluginTool = {
  name: 'look',
  description: 'Looks at a letter.',
  input: { type: 'object' },
  tier: 0,
  example: {},
}

/** Its one tool was accepted at this tier. */
const accepted = (tier: Tier, launch: Given) => ({
  plugin: { tools: [{ listed: listedAs(looks), definition: '', tier, cases: [], undo: null }] },
  launch,
})

/** What the tool counts for after the update; -1 where that is not told. */
export function tierAfter(
  update: { readonly given: Given; readonly tool: PluginTool },
  before: { readonly given: Given; readonly tier: Tier },
): number {
  const { given, tool } = update
  const tiers = tiersOf({ tools: [tool] }, given, {}, accepted(before.tier, before.given))
  return typeof tiers === 'string' ? -1 : (tiers[tool.name] ?? -1)
}

/** The hosts that the update is given. */
export function hostsAfter(asked: readonly string[], options: { host?: string }, before: Given): string[] {
  return hostsOf({ hosts: [...asked] }, options, accepted(0, before)).map(({ host }) => host)
}
