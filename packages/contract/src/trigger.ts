/**
 * Owns what sets an automation off, and how that is said in words. Refuses times that never come, and intervals so
 * short that nobody could follow.
 */
import { z } from 'zod'
import { AccountName } from './account-name.ts'
import { SecretName } from './api-secrets.ts'
import { type Cron, readCron } from './cron.ts'

const shortestSeconds = 60
const longestSeconds = 366 * 24 * 60 * 60
const usualMinutes = 5

export const ZoneName = z.string().max(60).refine(isZone, 'must be a time zone, as Europe/Zagreb or UTC')

const CronText = z
  .string()
  .max(200)
  .superRefine((text, context) => {
    const read = readCron(text)
    if (read.kind === 'problem') context.addIssue({ code: 'custom', message: read.reason })
  })
  .transform((text) => {
    const read = readCron(text)
    return read.kind === 'cron' ? read.cron.text : text
  })

const Moment = z.iso.datetime({
  offset: true,
  error: 'must be a moment with its zone, as 2026-03-31T14:00:00Z',
})

/** Names a thing on one line: a path, a type, words to look for. */
const plain = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .refine(
      (text) => text.trim() === text && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text),
      'must be one plain line',
    )

export const WorkspacePath = plain(1_000).refine(
  (path) =>
    !path.startsWith('/') && !path.split('/').some((part) => part === '' || part === '.' || part === '..'),
  'must be a path inside the workspace, as inbox/scan.pdf',
)

export const Trigger = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('cron'), expression: CronText, zone: ZoneName }),
  z.strictObject({
    kind: z.literal('every'),
    seconds: z.int().min(shortestSeconds).max(longestSeconds),
    /** Counted from here; left out, from when it was made. */
    from: Moment.exactOptional(),
  }),
  z.strictObject({ kind: z.literal('once'), at: Moment }),
  z
    .strictObject({
      kind: z.literal('event'),
      /** A message of a person, or an entry of the ledger. */
      on: z.enum(['message', 'ledger']),
      /** The type of the entry, as `run.ended`, or the beginning of it with a star, as `budget.*`. */
      type: z
        .string()
        .regex(/^[a-z]+(\.[a-z_]+)*(\.\*)?$/, 'must be a type of ledger entry, as run.ended or budget.*')
        .max(100)
        .exactOptional(),
      /** Words that must be there, whatever their case. */
      contains: plain(200).exactOptional(),
    })
    .refine(
      ({ on, type, contains }) => on === 'message' || type !== undefined || contains !== undefined,
      'must say which entries: a type such as run.ended, or words that they contain',
    ),
  z.strictObject({
    kind: z.literal('webhook'),
    /** The name of the secret that the sender signs with. */
    secret: SecretName,
  }),
  z.strictObject({ kind: z.literal('watch'), path: WorkspacePath }),
  z.strictObject({
    kind: z.literal('mail'),
    account: AccountName,
    folder: plain(200).default('INBOX'),
    /** One address, or a whole domain as `@example.org`. Holds only for e-mails whose sender is proven. */
    from: plain(200)
      .regex(/^[^ @,]*@[\w.-]+$/, 'as ana@example.org')
      .exactOptional(),
    /** Words that must be in the subject, whatever their case. */
    subject: plain(200).exactOptional(),
    /** How often it is looked for. */
    everyMinutes: z.int().min(1).max(1_440).default(usualMinutes),
  }),
])
export type Trigger = z.infer<typeof Trigger>

export type MailTrigger = Extract<Trigger, { kind: 'mail' }>

export type TimeTrigger = Extract<Trigger, { kind: 'cron' | 'every' | 'once' }>

export function isTimeTrigger(trigger: Trigger): trigger is TimeTrigger {
  return trigger.kind === 'cron' || trigger.kind === 'every' || trigger.kind === 'once'
}

/** In words, such as “Weekdays 08:00 Europe/Zagreb”. */
export function describeTrigger(trigger: Trigger, zone = 'UTC'): string {
  switch (trigger.kind) {
    case 'cron':
      return describeCron(trigger.expression, trigger.zone)
    case 'every':
      return `Every ${durationWords(trigger.seconds)}`
    case 'once':
      return `Once, ${localText(Date.parse(trigger.at), zone)} ${zone}`
    case 'event': {
      const words = trigger.contains === undefined ? '' : `“${trigger.contains}”`
      if (trigger.on === 'message')
        return words === '' ? 'When a message arrives' : `When a message contains ${words}`
      return `When ${trigger.type ?? 'anything'} is entered in the ledger${words === '' ? '' : ` with ${words}`}`
    }
    case 'webhook':
      return `When a webhook arrives, signed with the secret ${trigger.secret}`
    case 'watch':
      return `When ${trigger.path} changes`
    case 'mail':
      return describeMail(trigger)
  }
}

function describeMail({ account, folder, from, subject, everyMinutes }: MailTrigger): string {
  const place = folder === 'INBOX' ? account : `${account}/${folder}`
  const sender = from === undefined ? '' : ` that is proven to be from ${from}`
  const about = subject === undefined ? '' : ` with “${subject}” in its subject`
  return `When an e-mail arrives in ${place}${sender}${about}, checked every ${durationWords(everyMinutes * 60)}`
}

/** A moment as the clock on the wall shows it, such as `2026-03-31 14:00`. */
export function localText(at: number, zone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(
    at,
  )
}

/** The first moment at which the wall shows this time or a later one of that day, such as `2026-03-31` and `14:00`. */
export function momentAt(date: string, time: string, zone: string): Date {
  const wanted = `${date} ${time}`
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  const half = 15 * 60_000
  const guess = Date.parse(`${date}T${time}:00Z`)
  let first = guess - 15 * 60 * 60_000
  // Offsets are multiples of a quarter of an hour wherever people live.
  while (shown.format(first) < wanted) first += half
  while (shown.format(first - 60_000) >= wanted) first -= 60_000
  return new Date(first)
}

export function isZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    // It throws for a name that it does not know, and has no other way to say so.
    return false
  }
}

const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const monthWords = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const mostTimes = 6

function describeCron(expression: string, zone: string): string {
  const read = readCron(expression)
  if (read.kind === 'problem') return `Cron ${expression} ${zone}`
  const { cron } = read
  if (!cron.everyDay && cron.days.length > mostTimes) return `Cron ${cron.text} ${zone}`
  const days = dayWords(cron)
  if (!cron.namesHours) {
    const pace = paceWords(cron)
    if (pace === undefined) return `Cron ${cron.text} ${zone}`
    return days === 'Every day' ? `${pace} ${zone}` : `${pace}, ${lower(days)} ${zone}`
  }
  const times = cron.hours.flatMap((hour) => cron.minutes.map((minute) => `${two(hour)}:${two(minute)}`))
  if (times.length <= mostTimes) return `${days} ${times.join(', ')} ${zone}`
  const pace = paceWords({ ...cron, hours: Array.from({ length: 24 }, (_, hour) => hour) })
  if (pace === undefined) return `Cron ${cron.text} ${zone}`
  return `${days} ${lower(pace)} in the hours ${spans(cron.hours.map(String))} ${zone}`
}

function dayWords({ days, months, weekdays, everyDay, everyWeekday }: Cron): string {
  const inMonths =
    months.length === 12 ? '' : ` in ${spans(months.map((month) => monthWords[month - 1] ?? ''))}`
  const onWeekdays = weekdayWords(weekdays)
  if (everyDay && everyWeekday) return `Every day${inMonths}`
  const onDays = `On the ${listed(days.map(ordinal))} of ${inMonths === '' ? 'every month' : inMonths.slice(4)}`
  if (everyDay) return `${onWeekdays}${inMonths}`
  if (everyWeekday) return onDays
  return `${onDays}, and on ${lower(onWeekdays)}${inMonths},`
}

function weekdayWords(weekdays: readonly number[]): string {
  const key = weekdays.join()
  if (key === '1,2,3,4,5') return 'Weekdays'
  if (key === '0,6') return 'Weekends'
  if (weekdays.length === 7) return 'Every day'
  // The week begins on Monday.
  const order = weekdays.toSorted((a, b) => ((a + 6) % 7) - ((b + 6) % 7))
  return listed(order.map((day) => `${weekdayNames[day]}s`))
}

function paceWords({ minutes, hours }: Pick<Cron, 'minutes' | 'hours'>): string | undefined {
  const hourStep = stepOf(hours, 24)
  const minuteStep = stepOf(minutes, 60)
  if (hourStep === 1 && minuteStep !== undefined)
    return minuteStep === 1 ? 'Every minute' : `Every ${minuteStep} minutes`
  const [minute] = minutes
  if (hourStep === undefined || minutes.length !== 1 || minute === undefined) return undefined
  const past = minute === 0 ? '' : ` at ${minute} past`
  return hourStep === 1 ? `Every hour${past}` : `Every ${hourStep} hours${past}`
}

/** The step of a set that begins with 0 and goes evenly to the end. */
function stepOf(values: readonly number[], size: number): number | undefined {
  const step = values.length === 1 ? size : (values[1] ?? 0) - (values[0] ?? 0)
  const isEven = values.every((value, place) => value === place * step)
  return isEven && values.length === Math.ceil(size / step) && step < size ? step : undefined
}

function durationWords(seconds: number): string {
  const units: [string, number][] = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ]
  const [unit, size] = units.find(([, length]) => seconds % length === 0) ?? ['second', 1]
  const count = seconds / size
  return count === 1 ? unit : `${count} ${unit}s`
}

function spans(words: readonly string[]): string {
  const first = words[0] ?? ''
  const last = words.at(-1) ?? ''
  const numbers = words.map(Number)
  const isRun = numbers.every((value, place) => place === 0 || value === (numbers[place - 1] ?? 0) + 1)
  return words.length > 2 && isRun ? `${first}–${last}` : listed(words)
}

function listed(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? ''
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

function ordinal(day: number): string {
  const teen = day % 100 >= 11 && day % 100 <= 13
  const ending = teen ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th')
  return `${day}${ending}`
}

const two = (value: number) => String(value).padStart(2, '0')
const lower = (text: string) =>
  /^(Every|On|Weekdays|Weekends)/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
