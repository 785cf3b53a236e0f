/** A server asks in a call that a guest had made, and in a run where nobody is there. */
import { openMadeStore } from '../../../../../../packages/kernel/src/testing/made-store.ts'
import { serverAsks } from '../../../../../../packages/kernel/src/testing/server-asks.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'server-asks-a-guest',
  promise: 'A server asks in a run of the operator only, and only where they are there.',
  mutant: 'guests-are-asked-by-servers',
  async run(stage) {
    const store = await openMadeStore()
    stage.afterwards(() => store.close())
    const operator = await store.newOperator()
    const asks = async (change: Parameters<typeof serverAsks>[2]) => {
      const asked = await serverAsks(store, await store.newCall(operator), change)
      await asked.end()
      return asked.id !== undefined
    }
    const byGuest = await asks({ requester: { kind: 'peer', id: 'chat/1' } })
    const byClock = await asks({ requester: { kind: 'schedule', id: 'sch_1' } })
    const alone = await asks({ unattended: true })
    const own = await asks({})
    return {
      open: byGuest || byClock || alone,
      control: own,
      saw: `asked for a guest ${byGuest}, for a schedule ${byClock}, unattended ${alone}, for the operator ${own}`,
    }
  },
}
