/** A tool that was accepted to run unasked knows a secret, or reads a folder beside a host, after an update, and counts for no more. */
import type { Attack } from '../attack.ts'
import { house, looks, nothingGiven, tierAfter } from '../known-plugin.ts'

export const attack: Attack = {
  name: 'plugin-is-given-more-at-its-old-tier',
  promise: 'What a tool of a plugin was accepted for does not hold for a secret or a folder that came later.',
  mutant: 'tiers-outlive-secrets',
  async run() {
    const tool = looks
    const before = { ...nothingGiven, hosts: [house] }
    const after = (given: typeof before) => tierAfter({ given, tool }, { given: before, tier: 0 })
    const knowing = after({ ...before, secrets: { TOKEN: 'house' } })
    const reading = after({ ...before, folders: [{ path: 'letters', write: false }] })
    const same = after(before)
    return {
      open: knowing < 2 || reading < 2,
      control: same === 0,
      saw: `with a secret T${knowing}, with a folder to read T${reading}, as before T${same}`,
    }
  },
}
