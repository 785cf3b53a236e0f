/** A stranger who tries to pair again and again says each time that a proxy passed on somebody else. */
import { pairingLimits } from '../../../../../../packages/gateway/src/devices/pairing.ts'
import type { Attack } from '../attack.ts'
import { askAnyhow, openPublicScene, publicName } from '../public-origin.ts'

export const attack: Attack = {
  name: 'addresses-made-up',
  promise: 'Who asks is what a trusted proxy says; without one everybody elsewhere is one sender.',
  mutant: 'anybody-is-a-proxy',
  async run(stage) {
    const scene = await openPublicScene(stage)
    const attempts = pairingLimits.attemptsPerMinute + 3
    const statuses: number[] = []
    for (let count = 0; count < attempts; count += 1) {
      const headers = {
        host: publicName,
        'x-forwarded-for': `203.0.113.${count}`,
        'x-forwarded-host': publicName,
        'x-forwarded-proto': 'https',
        forwarded: `for=203.0.113.${count};host=${publicName};proto=https`,
        'tailscale-user-login': `somebody${count}@example.com`,
      }
      const { status } = await askAnyhow(scene, {
        method: 'POST',
        path: '/v1/pairing/requests',
        headers,
        body: {},
      })
      statuses.push(status)
    }
    const tried = statuses.filter((status) => status !== 429).length
    return {
      open: tried > pairingLimits.attemptsPerMinute,
      control: tried > 0,
      saw: `${tried} of ${attempts} attempts were looked at`,
    }
  },
}
