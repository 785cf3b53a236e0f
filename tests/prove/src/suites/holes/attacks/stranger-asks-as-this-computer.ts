/** The proxy is not among those that are believed, and passes on whatever name it is asked for: a stranger asks for localhost. */
import type { Attack } from '../attack.ts'
import { askAnyhow, openPublicScene, publicName } from '../public-origin.ts'

export const attack: Attack = {
  name: 'stranger-asks-as-this-computer',
  promise: 'Nobody who comes by way of a proxy is on this computer, whatever name they ask for.',
  mutant: 'proxies-speak-for-this-computer',
  async run(stage) {
    const scene = await openPublicScene(stage)
    const local = new URL(scene.gateway.url).host
    const added = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' }
    const asked = async (headers: Readonly<Record<string, string>>) =>
      (await askAnyhow(scene, { path: '/v1/pairing', headers })).status
    const answered: string[] = []
    for (const host of [local, local.replace('127.0.0.1', 'localhost')])
      if ((await asked({ ...added, host })) === 200) answered.push(host)
    const isServed = (await asked({ ...added, host: publicName })) === 200
    return {
      open: answered.length > 0,
      control: isServed && (await asked({ host: local })) === 200,
      saw: answered.length === 0 ? 'it was refused' : `answered as this computer: ${answered.join(', ')}`,
    }
  },
}
