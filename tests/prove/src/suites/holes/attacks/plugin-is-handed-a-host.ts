/** A plugin that was let in without one of the hosts that it asks for waits for its next update. */
import type { Attack } from '../attack.ts'
import { hostsAfter, house, nothingGiven } from '../known-plugin.ts'

export const attack: Attack = {
  name: 'plugin-is-handed-a-host',
  promise: 'An update of a plugin reaches no host that the operator kept from it.',
  mutant: 'updates-give-every-host',
  async run() {
    const before = { ...nothingGiven, hosts: [house] }
    const asked = ['house.test', 'abroad.test']
    const unsaid = hostsAfter(asked, {}, before)
    const said = hostsAfter(asked, { host: 'abroad.test' }, before)
    return {
      open: unsaid.includes('abroad.test'),
      control: unsaid.includes('house.test') && said.includes('abroad.test'),
      saw: `given: ${unsaid.join(', ')}; where the operator named it: ${said.join(', ')}`,
    }
  },
}
