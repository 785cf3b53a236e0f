/** Words in an automation: seen in the list of them, or told to the run that it begins. */
import type { Hop, HopContext } from '../hop.ts'

const create = ({ mark, words, next }: HopContext) => [
  {
    name: 'create_scheduled_task',
    args: { name: `S ${mark}`, schedule: '0 9 * * 1', prompt: `${words} ${next}` },
  },
]

export const scheduleHops: readonly Hop[] = [
  {
    name: 'a list of schedules',
    kind: 'schedule',
    needs: ['create_scheduled_task', 'list_scheduled_tasks'],
    begins: 'anew',
    put: ({ mark, words }) => [
      [
        {
          name: 'create_scheduled_task',
          args: { name: `S ${mark}`, schedule: '0 9 * * 1', prompt: words },
        },
      ],
    ],
    take: () => [[{ name: 'list_scheduled_tasks', args: {} }]],
  },
  {
    name: 'a schedule that the operator sets off',
    kind: 'schedule',
    needs: ['create_scheduled_task'],
    begins: 'act',
    put: (way) => [create(way)],
    take: () => [],
    async act({ client }, { mark }) {
      const made = (await client.schedules()).find(({ name }) => name === `S ${mark}`)
      if (!made) throw new Error(`There is no schedule of ${mark}.`)
      await client.runSchedule(made.id)
    },
  },
  {
    name: 'a schedule that sets itself off',
    kind: 'schedule',
    needs: ['create_scheduled_task', 'trigger_task'],
    begins: 'itself',
    put: (way) => [create(way), [{ name: 'trigger_task', args: { taskId: `{id of ${way.mark}}` } }]],
    take: () => [],
  },
]
