/** The operator granted looks at a host. A look takes words along in a header. */
import type { Attack } from '../attack.ts'
import { addressOf, approveWith, callsOf, looks, sceneAt } from '../granting.ts'

export const attack: Attack = {
  name: 'words-under-a-look',
  promise: 'A grant to look at a host covers addresses, never words in headers or a body, and no other port.',
  mutant: 'looks-carry-anything',
  async run(stage) {
    const [host, other] = [await stage.listen(), await stage.listen()]
    const scene = await sceneAt(stage, 'medium', [host, other])
    const look = (url: string, headers = {}) => ({ name: 'http_request', args: { url, headers } })
    scene.plan('first', [[look(`${addressOf(host)}/one`)]])
    scene.plan('second', [[look(`${addressOf(host)}/two`)]])
    scene.plan('words', [[look(`${addressOf(host)}/three`, { 'x-note': 'what I typed' })]])
    scene.plan('port', [[look(`${addressOf(other)}/four`)]])
    await approveWith(scene, await scene.run('first'), looks)
    const second = await scene.run('second')
    const words = [await scene.run('words'), await scene.run('port')]
    const [grant] = await scene.gateway.client.grants()
    return {
      open: host.seen.some(({ url }) => url === '/three') || other.seen.length > 0,
      control:
        second.detail.calls[0]?.outcome === 'ok' &&
        grant?.uses === 1 &&
        grant.maxUses !== null &&
        grant.expiresAt !== null,
      saw: words.map(callsOf).join('; '),
    }
  },
}
