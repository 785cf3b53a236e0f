/** In a private conversation a grant is given that holds everywhere, of which the ledger does not say what it allows. */
import type { GrantRequest } from '@countersign/contract'
import { approvalFor, settledRun } from '@countersign/harness'
import type { Attack } from '../attack.ts'
import { addressOf, looks, sceneAt } from '../granting.ts'

export const attack: Attack = {
  name: 'private-grant-goes-further',
  promise: 'What is granted in a private conversation holds in it and goes with it, with every word.',
  mutant: 'private-grants-stay',
  async run(stage) {
    const site = await stage.listen('{"ok":true}')
    const scene = await sceneAt(stage, 'low', [site])
    const { client } = scene.gateway
    const url = `${addressOf(site)}/turnstone`
    scene.plan('turnstone', [[{ name: 'http_request', args: { url, method: 'GET' } }]])
    const sent = await client.send({
      key: crypto.randomUUID(),
      session: null,
      text: 'turnstone',
      mode: 'auto',
      private: true,
    })
    const { approvals } = await settledRun(client, sent.run ?? '', 'parked')
    const waiting = approvals.find(({ state }) => state === 'pending')
    const decide = async (grant?: GrantRequest): Promise<boolean> => {
      const verdict = approvalFor(scene.installation, await client.approval(waiting?.id ?? ''))
      if (verdict.verdict !== 'approve') throw new Error('it is approved')
      return client.decide(waiting?.id ?? '', { ...verdict, ...(grant ? { grant } : {}) }).then(
        () => true,
        () => false,
      )
    }
    const everywhere = await decide(looks)
    const once = everywhere || (await decide())
    await settledRun(client, sent.run ?? '', 'stopped')
    await client.removeSession(sent.session)
    const left = await client.grants()
    return {
      open: everywhere || left.length > 0,
      control: once && site.seen.length > 0,
      saw: `everywhere: ${everywhere}; once: ${once}; grants that are left: ${left.length}`,
    }
  },
}
