/** A phone that may not approve what leaves the operator's hands allows it in advance, for calls that strangers lead to. */
import type { GrantRequest } from '@countersign/contract'
import { createClient } from '@countersign/contract/client'
import { fileSigner } from '@countersign/contract/node'
import {
  deviceStatement,
  newHolder,
  signedBy,
} from '../../../../../../packages/executor/src/testing/statements.ts'
import type { Attack } from '../attack.ts'
import { looks, sceneAt } from '../granting.ts'

export const attack: Attack = {
  name: 'phone-allows-in-advance',
  promise: 'A device gives no grant for calls that it may not approve.',
  mutant: 'grants-out-of-reach',
  async run(stage) {
    const scene = await sceneAt(stage, 'low')
    const { installation, gateway } = scene
    const { trust, device } = installation.identity
    const phone = newHolder()
    await gateway.client.stateDevice(
      signedBy(deviceStatement(trust.gateway.id, phone, 2, installation.now()), device),
    )
    const client = createClient({ url: gateway.url, signer: fileSigner({ trust, device: phone }) })
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
    const given = (await gateway.client.grants()).length
    const own = await granted(looks)
    return {
      open: given > 0,
      control: own === 'given' && tried.rule !== 'usage',
      saw: `T${approval.card.tier}; for strangers: ${JSON.stringify(tried)}; for the operator: ${own}`,
    }
  },
}
