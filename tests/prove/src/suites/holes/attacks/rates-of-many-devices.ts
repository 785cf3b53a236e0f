/** Each device of the operator, and each of their schedules, is given calls of its own, so a flood comes from many at once. */
import { createClient } from '@countersign/contract/client'
import { fileSigner } from '@countersign/contract/node'
import { settledRun } from '@countersign/harness'
import {
  deviceStatement,
  newHolder,
  signedBy,
} from '../../../../../../packages/executor/src/testing/statements.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'rates-of-many-devices',
  promise: 'The operator has one count of calls, on whichever device they speak.',
  mutant: 'each-device-has-its-rate',
  async run(stage) {
    const scene = await stage.ownScene({ environment: { COUNTERSIGN_RATES: 'all=2' } })
    const { installation, gateway } = scene
    const { trust, device } = installation.identity
    const phone = newHolder()
    await gateway.client.stateDevice(
      signedBy(deviceStatement(trust.gateway.id, phone, 2, installation.now()), device),
    )
    const onPhone = createClient({ url: gateway.url, signer: fileSigner({ trust, device: phone }) })
    const say = async (client: typeof onPhone, text: string) => {
      const { run } = await client.send({ key: crypto.randomUUID(), session: null, text, mode: 'auto' })
      const { calls } = await settledRun(gateway.client, run ?? '', 'either')
      return calls.filter(({ summary }) => !summary?.includes('may be used')).length
    }
    const clock = { name: 'get_current_time', args: {} }
    scene.plan('rate', [[clock, clock]])
    const [desk, other] = [await say(gateway.client, 'rate here.'), await say(onPhone, 'rate there.')]
    return {
      open: other > 0,
      control: desk === 2,
      saw: `calls on the desk: ${desk}; then on the phone: ${other}`,
    }
  },
}
