/** A tool that was accepted as one that looks may write in a folder of the operator after an update, and counts for no more. */
import type { Attack } from '../attack.ts'
import { looks, nothingGiven, tierAfter } from '../known-plugin.ts'

export const attack: Attack = {
  name: 'plugin-writes-at-its-old-tier',
  promise: 'What a tool of a plugin was accepted for does not hold where the plugin may write only now.',
  mutant: 'tiers-outlive-folders',
  async run() {
    const folder = (write: boolean) => ({ ...nothingGiven, folders: [{ path: 'letters', write }] })
    const tool = looks
    const given = folder(true)
    const first = tierAfter({ given, tool }, { given: nothingGiven, tier: 0 })
    const sameFolder = tierAfter({ given, tool }, { given: folder(false), tier: 0 })
    const same = tierAfter({ given, tool }, { given, tier: 1 })
    const less = tierAfter({ given: folder(false), tool }, { given, tier: 1 })
    return {
      open: first < 3 || sameFolder < 3,
      control: same === 1 && less === 1,
      saw: `in a new folder T${first}, in one that it read T${sameFolder}, as before T${same}`,
    }
  },
}
