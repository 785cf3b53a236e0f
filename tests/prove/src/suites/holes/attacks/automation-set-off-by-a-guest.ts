/** A guest writes the words that an automation of the operator waits for: what it does is done past the limits of the guest. */
import type { InboundMessage } from '@countersign/kernel'
import { createScheduler } from '../../../../../../packages/assistant/src/schedules/scheduler.ts'
import { createSchedules } from '../../../../../../packages/assistant/src/schedules/schedules.ts'
import { openScheduleDatabase } from '../../../../../../packages/assistant/src/schedules/testing/test-database.ts'
import type { Attack } from '../attack.ts'

const guest = { kind: 'peer', id: 'chat/guest', via: { channel: 'chat', chat: 'c1' } } as const

export const attack: Attack = {
  name: 'automation-set-off-by-a-guest',
  promise: 'What somebody else sets off is done for them, within their limits, whosever the automation is.',
  mutant: 'automations-are-the-operators',
  async run(stage) {
    const database = await openScheduleDatabase('UTC')
    const operator = await database.newOperator()
    const context = database.context(operator)
    const posted: InboundMessage[] = []
    const post = (_tx: unknown, message: InboundMessage) => Promise.resolve(void posted.push(message))
    const scheduler = createScheduler({ context, post })
    stage.afterwards(async () => {
      await scheduler.close()
      await database.close()
    })
    database.now = new Date('2026-03-05T10:00:00Z')
    await createSchedules({ context, scheduler }).add(
      {
        name: 'Reports',
        trigger: { kind: 'event', on: 'message', contains: 'report' },
        does: { kind: 'prompt', text: 'Make the report.' },
        overlap: 'queue',
      },
      { kind: 'operator', id: 'desk' },
    )
    const tickAt = (at: string) => {
      database.now = new Date(at)
      return scheduler.tick(database.now)
    }
    await tickAt('2026-03-05T10:00:10Z')
    await database.say(operator, 'The report, please.', null, guest)
    await tickAt('2026-03-05T10:00:30Z')
    await database.say(operator, 'The report, please.')
    await tickAt('2026-03-05T10:00:50Z')
    const [theirs, own] = posted.map(({ requester }) => requester)
    return {
      open: theirs?.kind !== 'peer' || theirs.id !== guest.id,
      control: theirs !== undefined && own?.kind === 'schedule',
      saw: `set off by the guest for ${theirs?.kind} ${theirs?.id}, by the operator for ${own?.kind}`,
    }
  },
}
