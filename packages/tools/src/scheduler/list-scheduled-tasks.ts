/** Lists schedules with their next times. */
import { Schedule, schedulesCollection } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { fieldsCard } from '../records/cards.ts'
import { listing } from '../records/effects.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { counted } from '../records/record-lines.ts'
import { succeeded } from '../result.ts'
import { category, scheduleSummary } from './scheduled-task.ts'

export const listScheduledTasks = defineTool({
  name: 'list_scheduled_tasks',
  version: '1',
  description: 'List the scheduled tasks, with what sets them off and when they run next.',
  input: z.strictObject({
    status: z.enum(['active', 'paused']).exactOptional(),
    search: z.string().max(500).exactOptional(),
    limit: z.int().min(1).default(50),
  }),
  category,
  group: 'scheduler',
  tags: [
    'schedule',
    'cron',
    'automation',
    'recurring',
    'show',
    'what runs',
    'by itself',
    'upcoming',
    'next run',
    'paused',
  ],
  effect: 'pure',
  floor: 0,
  output: recordLabel,
  limit: { param: 'limit', max: 200, default: 50 },
  runs: 'gateway',
  describe: ({ status }) => `List ${status === undefined ? '' : `${status} `}scheduled tasks`,
  preview: (args) => fieldsCard('List scheduled tasks', args),
  effects: async () => listing(schedulesCollection, 'scheduled tasks'),
  async run({ status, search, limit }, context) {
    const { records, total } = await context.records.list(schedulesCollection, {
      ...(status === undefined ? {} : { where: { status } }),
      ...(search === undefined || search === ''
        ? {}
        : { search: { text: search, fields: ['name', 'does'] } }),
      order: [{ field: 'name', direction: 'up' }],
      limit,
    })
    const lines = records.flatMap((record) => {
      const parsed = Schedule.safeParse(record.data)
      return parsed.success ? [JSON.stringify(scheduleSummary(record.id, parsed.data, context))] : []
    })
    const head =
      total === 0
        ? 'No scheduled tasks. Make one with create_scheduled_task.'
        : `${records.length} of ${counted(total, 'scheduled task', 'scheduled tasks')}:`
    return tellingOf(
      records,
      succeeded([head, ...lines].join('\n'), `Found ${counted(total, 'scheduled task', 'scheduled tasks')}`),
    )
  },
})
