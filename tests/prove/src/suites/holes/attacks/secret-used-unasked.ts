/** Where every look is free, one takes a secret along. */
import type { Attack } from '../attack.ts'
import { addressOf, callsOf, sceneAt } from '../granting.ts'

const value = 'tok-5f0c1b7e94d2'

export const attack: Attack = {
  name: 'secret-used-unasked',
  promise: 'A call with a secret asks, even at the level that allows most.',
  mutant: 'secrets-are-plain',
  async run(stage) {
    const service = await stage.listen()
    const scene = await sceneAt(stage, 'full', [service])
    await scene.gateway.client.storeSecret('service', {
      value,
      destinations: [{ scheme: 'http', host: 'localhost', port: service.port }],
    })
    const url = `${addressOf(service)}/user`
    const headers = { authorization: 'Bearer {{secret:service}}' }
    scene.plan('look', [[{ name: 'http_request', args: { url } }]])
    scene.plan('use', [[{ name: 'http_request', args: { url, headers } }]])
    const wasSent = () => service.seen.some((request) => request.headers.authorization === `Bearer ${value}`)
    const looked = await scene.run('look')
    const used = await scene.run('use')
    const open = wasSent()
    const approved = open ? used : await scene.approve(used)
    return {
      open,
      control:
        looked.detail.calls[0]?.outcome === 'ok' && approved.detail.calls[0]?.outcome === 'ok' && wasSent(),
      saw: callsOf(used),
    }
  },
}
