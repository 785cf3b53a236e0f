/** One approved look at a host is taken for permission to reach it again: in another session, on another port, by another address. */
import type { Attack } from '../attack.ts'
import { addressOf, callsOf, sceneAt } from '../granting.ts'

export const attack: Attack = {
  name: 'approval-names-a-host',
  promise: 'An approval lets one call run and gives no permission for another.',
  mutant: 'known-hosts-are-free',
  async run(stage) {
    const [one, other] = [await stage.listen(), await stage.listen()]
    const scene = await sceneAt(stage, 'medium', [one, other])
    scene.plan('status', [[{ name: 'http_request', args: { url: `${addressOf(one)}/status` } }]])
    scene.plan('again', [[{ name: 'http_request', args: { url: `${addressOf(one)}/?d=what-was-typed` } }]])
    scene.plan('elsewhere', [[{ name: 'http_request', args: { url: `${addressOf(other)}/bot?text=hello` } }]])
    const first = await scene.run('status')
    const approved = first.detail.run.state === 'parked' ? await scene.approve(first) : first
    const later = [await scene.run('again'), await scene.run('elsewhere')]
    const grants = await scene.gateway.client.grants()
    return {
      open: one.seen.length > 1 || other.seen.length > 0,
      control:
        approved.detail.calls[0]?.outcome === 'ok' &&
        grants.length === 0 &&
        later.every(({ detail }) => detail.run.state === 'parked'),
      saw: later.map(callsOf).join('; '),
    }
  },
}
