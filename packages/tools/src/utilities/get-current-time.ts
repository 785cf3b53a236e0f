/** Tells what the clock shows. */
import { z } from 'zod'
import { answer, computing } from './computing.ts'
import { tellNow } from './moment.ts'
import { homeZone, zoneName } from './zone.ts'

export const getCurrentTime = computing({
  name: 'get_current_time',
  version: '1',
  description:
    'Get the current time and date in a time zone, in one line. For week number, quarter or unix time use get_current_datetime.',
  group: 'core',
  tags: ['now', 'clock', 'hour', 'today', 'date today', 'timezone', 'what time', 'time is it', 'what day'],
  input: z.strictObject({ timezone: zoneName.exactOptional() }),
  describe: ({ timezone }) => `Time${timezone === undefined ? '' : ` in ${timezone}`}`,
  compute({ timezone }) {
    const now = tellNow(new Date(), timezone ?? homeZone())
    return answer(`${now.time} on ${now.dayOfWeek}, ${now.date} (${now.timezone})`)
  },
})
