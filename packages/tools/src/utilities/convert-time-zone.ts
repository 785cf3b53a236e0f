/** Tells what a time in one zone is in another. */
import { z } from 'zod'
import { answer, brief, computing } from './computing.ts'
import { dateText, readDate, tellDate } from './moment.ts'
import { zoneName } from './zone.ts'

export const convertTimeZone = computing({
  name: 'convert_time_zone',
  version: '1',
  description: 'Convert a date and time from one time zone to another, daylight saving included.',
  group: 'conversion',
  tags: [
    'timezone',
    'utc',
    'gmt',
    'local time',
    'dst',
    'meeting',
    'world clock',
    'what time is it in',
    'time difference',
    'abroad',
    'am',
    'pm',
    'noon',
  ],
  input: z.strictObject({ date: dateText, from: zoneName, to: zoneName }),
  describe: ({ date, from, to }) => `${brief(date)} from ${from} to ${to}`,
  compute({ date, from, to }) {
    const read = readDate(date, from)
    if (read.kind === 'refused') return read
    return answer({ from: tellDate(read.value, from), to: tellDate(read.value, to) })
  },
})
