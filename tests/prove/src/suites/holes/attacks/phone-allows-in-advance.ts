/** A phone that may not approve what leaves the operator's hands allows it in advance, for calls that strangers lead to. */
import type { GrantRequest } from '@countersign/contract'
import type { Attack } from '../attack.ts'
import { looks, sceneAt } from '../granting.ts'
import { pairPhone } from '../phone.ts'

export const attack: Attack = {
  name: 'phone-allows-in-advance',
  promise: 'A device gives no grant for calls that it may not approve.',
  mutant: 'grants-out-of-reach',
  async run(stage) {
    const scene = await sceneAt(stage, 'low')
    const client = await pairPhone(scene)
    // A public name that leads nowhere, for ever: the look itself fails.
    scene.plan('phone-look', [[{ name: 'http_request', args: { url: 'https://news.invalid/' } }]])
    const { detail } = await scene.run('phone-look')
    const [asked] = detail.approvals
    if (!asked) throw new Error('Nothing was asked.')
    const { approval } = await client.approval(asked.id)
    const granted = (grant: GrantRequest) =>
      client.decide(asked.id, { verdict: 'approve', digest: approval.digest, grant }).then(
        () => 'given',
        (error: Error & { readonly code?: string }) => error.code ?? error.message,
      )
    const strangers: GrantRequest = { ...looks, untrusted: true }
    const tried = { rule: await granted(strangers), run: await granted({ scope: 'run' }) }
    const given = (await scene.gateway.client.grants()).length
    const own = await granted(looks)
    return {
      open: given > 0,
      control: own === 'given' && tried.rule !== 'usage',
      saw: `T${approval.card.tier}; for strangers: ${JSON.stringify(tried)}; for the operator: ${own}`,
    }
  },
}
