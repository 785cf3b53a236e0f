/** The key of a search service needs no question on its way there. The model says another address that the key may go to. */
import type { Attack } from '../attack.ts'
import { addressOf, callsOf, sceneAt } from '../granting.ts'

const value = 'key-27ac90e1d4b3'

export const attack: Attack = {
  name: 'key-of-a-service-elsewhere',
  promise:
    'The key of a service asks wherever an argument says the address, even at the level that allows most.',
  mutant: 'service-keys-go-anywhere',
  async run(stage) {
    const service = await stage.listen('{"web":{"results":[]}}')
    const scene = await sceneAt(stage, 'full', [service])
    await scene.gateway.client.storeSecret('brave_search', {
      value,
      destinations: [{ scheme: 'http', host: 'localhost', port: service.port }],
    })
    const search = { query: 'boats', provider: 'brave', endpoint: `${addressOf(service)}/search` }
    scene.plan('search', [[{ name: 'search_web', args: search }]])
    const wasSent = () => service.seen.some(({ headers }) => headers['x-subscription-token'] === value)
    const searched = await scene.run('search')
    const open = wasSent()
    const approved = open ? searched : await scene.approve(searched)
    return { open, control: approved.detail.calls[0]?.outcome === 'ok' && wasSent(), saw: callsOf(searched) }
  },
}
