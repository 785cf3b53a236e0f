/** Each device of the operator, and each of their schedules, is given calls of its own, so a flood comes from many at once. */
import type { Client } from '@countersign/contract/client'
import { settledRun } from '@countersign/harness'
import type { Attack } from '../attack.ts'
import { pairPhone } from '../phone.ts'

export const attack: Attack = {
  name: 'rates-of-many-devices',
  promise: 'The operator has one count of calls, on whichever device they speak.',
  mutant: 'each-device-has-its-rate',
  async run(stage) {
    const scene = await stage.ownScene({ environment: { COUNTERSIGN_RATES: 'all=2' } })
    const { client } = scene.gateway
    const onPhone = await pairPhone(scene)
    const say = async (speaking: Client, text: string) => {
      const { run } = await speaking.send({ key: crypto.randomUUID(), session: null, text, mode: 'auto' })
      const { calls } = await settledRun(client, run ?? '', 'either')
      return calls.filter(({ summary }) => !summary?.includes('may be used')).length
    }
    const clock = { name: 'get_current_time', args: {} }
    scene.plan('rate', [[clock, clock]])
    const [desk, other] = [await say(client, 'rate here.'), await say(onPhone, 'rate there.')]
    return {
      open: other > 0,
      control: desk === 2,
      saw: `calls on the desk: ${desk}; then on the phone: ${other}`,
    }
  },
}
