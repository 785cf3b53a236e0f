/** Tells the date and time with everything that follows from them. */
import { z } from 'zod'
import { answer, computing } from './computing.ts'
import { tellNow } from './moment.ts'
import { homeZone, zoneName } from './zone.ts'

export const getCurrentDatetime = computing({
  name: 'get_current_datetime',
  version: '1',
  description:
    'Get the current date and time with weekday, week number, quarter and unix time. For the clock alone use get_current_time.',
  group: 'core',
  tags: [
    'now',
    'today',
    'date today',
    'what day',
    'clock',
    'timezone',
    'weekday',
    'week number',
    'which week',
    'week of the year',
    'timestamp',
    'unix',
    'quarter',
  ],
  input: z.strictObject({ timezone: zoneName.exactOptional() }),
  describe: ({ timezone }) => `Date and time${timezone === undefined ? '' : ` in ${timezone}`}`,
  compute: ({ timezone }) => answer(tellNow(new Date(), timezone ?? homeZone())),
})
