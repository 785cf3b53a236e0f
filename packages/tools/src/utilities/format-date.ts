/** Writes a date in another form. */
import { z } from 'zod'
import { answer, brief, computing } from './computing.ts'
import { dateText, readDate, tellDate } from './moment.ts'
import { offsetAt, offsetText, wallAt, zoneName } from './zone.ts'

const locale = z.string().max(35).refine(isLocale, 'is not a language tag such as en-GB').default('en-US')

export const formatDate = computing({
  name: 'format_date',
  version: '1',
  description:
    'Format a date in a style (short, medium, long, full, iso, rfc2822, unix) or a pattern such as "dddd, D MMMM YYYY HH:mm".',
  group: 'dateTime',
  tags: [
    'display',
    'write date',
    'pattern',
    'locale',
    'timestamp',
    'iso',
    'pretty',
    'spell out',
    'long form',
    'written out',
    'weekday',
  ],
  input: z.strictObject({
    date: dateText,
    format: z
      .string()
      .min(1)
      .max(100)
      .default('long')
      .describe('Tokens: YYYY YY MMMM MMM MM M DD D dddd ddd HH H hh h mm ss SSS A Z; [text] stays'),
    timezone: zoneName.default('UTC'),
    locale,
  }),
  describe: ({ date, format }) => `Format ${brief(date)} as ${brief(format)}`,
  compute({ date, format, timezone, locale: language }) {
    const read = readDate(date, timezone)
    return read.kind === 'refused' ? read : answer(written(read.value, format, timezone, language))
  },
})

function written(instant: number, format: string, zone: string, language: string): string {
  if (format === 'iso') return tellDate(instant, zone).local
  if (format === 'unix') return String(Math.floor(instant / 1000))
  if (format === 'rfc2822') {
    const offset = offsetText(offsetAt(instant, zone)).replace('Z', '+0000').replace(':', '')
    return `${inPattern(instant, 'ddd, DD MMM YYYY HH:mm:ss', zone, 'en-US')} ${offset}`
  }
  if (format === 'short' || format === 'medium' || format === 'long' || format === 'full')
    return new Intl.DateTimeFormat(language, {
      dateStyle: format,
      timeStyle: format,
      timeZone: zone,
    }).format(instant)
  return inPattern(instant, format, zone, language)
}

function inPattern(instant: number, pattern: string, zone: string, language: string): string {
  const wall = new Date(wallAt(instant, zone))
  const digits = wall.toISOString()
  const named = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(wall)
  const hour = wall.getUTCHours()
  const tokens: Record<string, () => string> = {
    YYYY: () => digits.slice(0, 4),
    YY: () => digits.slice(2, 4),
    MMMM: () => named({ month: 'long' }),
    MMM: () => named({ month: 'short' }),
    MM: () => digits.slice(5, 7),
    M: () => String(wall.getUTCMonth() + 1),
    DD: () => digits.slice(8, 10),
    D: () => String(wall.getUTCDate()),
    dddd: () => named({ weekday: 'long' }),
    ddd: () => named({ weekday: 'short' }),
    HH: () => digits.slice(11, 13),
    H: () => String(hour),
    hh: () => String(hour % 12 || 12).padStart(2, '0'),
    h: () => String(hour % 12 || 12),
    mm: () => digits.slice(14, 16),
    ss: () => digits.slice(17, 19),
    SSS: () => digits.slice(20, 23),
    A: () => (hour < 12 ? 'AM' : 'PM'),
    Z: () => offsetText(offsetAt(instant, zone)),
  }
  return pattern.replace(
    /\[([^[\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|hh|h|mm|ss|SSS|A|Z/g,
    (token, literal: string | undefined) => literal ?? tokens[token]?.() ?? token,
  )
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
