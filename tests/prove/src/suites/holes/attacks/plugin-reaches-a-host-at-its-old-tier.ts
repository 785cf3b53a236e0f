/** A tool that was accepted as one that looks asks a host after an update, and counts for no more. */
import type { Attack } from '../attack.ts'
import { abroad, house, looks, nothingGiven, tierAfter } from '../known-plugin.ts'

export const attack: Attack = {
  name: 'plugin-reaches-a-host-at-its-old-tier',
  promise: 'What a tool of a plugin was accepted for does not hold for what the plugin reaches only now.',
  mutant: 'tiers-outlive-reach',
  async run() {
    const tool = looks
    const reaching = (...hosts: (typeof house)[]) => ({ ...nothingGiven, hosts })
    const first = tierAfter({ given: reaching(house), tool }, { given: nothingGiven, tier: 0 })
    const second = tierAfter({ given: reaching(house, abroad), tool }, { given: reaching(house), tier: 1 })
    const same = tierAfter({ given: reaching(house), tool }, { given: reaching(house), tier: 1 })
    return {
      open: first < 2 || second < 2,
      control: same === 1,
      saw: `with a first host T${first}, with another T${second}, with the same T${same}`,
    }
  },
}
