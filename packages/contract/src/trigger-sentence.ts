/**
 * Owns reading a trigger out of a sentence, by rules and without a model: the same words always mean the same. Refuses
 * what it does not understand with examples, instead of guessing.
 */
import { readCron } from './cron.ts'
import { isZone, localText, momentAt, Trigger } from './trigger.ts'

export type ReadTrigger =
  | {
      readonly kind: 'trigger'
      readonly trigger: Trigger
      /** What the sentence says besides. */
      readonly rest: string
    }
  | { readonly kind: 'unclear'; readonly reason: string; readonly examples: readonly string[] }

export const triggerExamples: readonly string[] = [
  'every weekday 8:00',
  'every Monday and Thursday at 9:30',
  'every 15 minutes',
  'on the 1st of every month at 7:00',
  'tomorrow at 14:00',
  'in 20 minutes',
  'when inbox/scan.pdf changes',
  'when a message contains "invoice"',
  'when an e-mail arrives in work from ana@example.org about "invoice"',
]

/** The trigger may stand before or after the rest. */
export function readTrigger(sentence: string, { now, zone }: { now: Date; zone: string }): ReadTrigger {
  const text = sentence.trim().replaceAll(/\s+/g, ' ')
  for (const rule of rules) {
    for (const pattern of [
      new RegExp(`^(?:${rule.words})(?=$|[\\s,:;])`, 'i'),
      new RegExp(`(?<=^|\\s)(?:${rule.words})(?=${lastWord}$)`, 'i'),
    ]) {
      const match = pattern.exec(text)
      if (!match) continue
      const before = text.slice(0, match.index)
      const after = zoneAt(text.slice(match.index + match[0].length), zone)
      const found = rule.trigger(match.groups ?? {}, { now, zone: after.zone })
      const checked = found === undefined ? undefined : Trigger.safeParse(found)
      if (checked?.success)
        return { kind: 'trigger', trigger: checked.data, rest: cleaned(`${before} ${after.text}`) }
    }
  }
  return {
    kind: 'unclear',
    reason: `The time is not clear from “${text.slice(0, 200)}”.`,
    examples: triggerExamples,
  }
}

interface Rule {
  readonly words: string
  trigger(found: Readonly<Record<string, string>>, here: { now: Date; zone: string }): unknown
}

/** A zone may stand after it. */
const lastWord = '(?:,? \\(?[A-Za-z_]+(?:/[A-Za-z_+-]+)*\\)?)?'
/** A bare number is an hour only after “at”. */
const exact = 'noon|midnight|\\d{1,2}:\\d{2}(?: ?[ap]m)?|\\d{1,2} ?[ap]m'
const clock = `(?:at (?<time>${exact}|\\d{1,2})|(?<time>${exact}))`
const weekday = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?'
const days = `(?<days>(?:${weekday})(?:(?:,| and|, and) (?:${weekday}))*)`
const wordNamed = (name: string) =>
  `(?:"(?<${name}>[^"]{1,200})"|“(?<${name}>[^”]{1,200})”|(?<${name}>[^\\s"“,;]{1,200}))`
const word = '(?:"(?<quoted>[^"]{1,200})"|“(?<curly>[^”]{1,200})”|(?<bare>\\S{1,200}))'

const rules: readonly Rule[] = [
  {
    words: '(?:cron )?(?<cron>(?:[\\d*][\\d*,/-]* ){4}[\\dA-Za-z*][\\dA-Za-z*,/-]*|@[a-z]+)',
    trigger: ({ cron = '' }, { zone }) =>
      readCron(cron).kind === 'cron' ? { kind: 'cron', expression: cron, zone } : undefined,
  },
  {
    words: `(?:every|each|on) (?:weekday|workday|working day)s?,? ${clock}`,
    trigger: ({ time }, { zone }) => daily(time, zone, '1-5'),
  },
  { words: `(?:weekdays) ${clock}`, trigger: ({ time }, { zone }) => daily(time, zone, '1-5') },
  {
    words: `(?:(?:every|each|on) )?weekends? ${clock}`,
    trigger: ({ time }, { zone }) => daily(time, zone, '0,6'),
  },
  {
    words: `(?:every day|each day|daily),? ${clock}`,
    trigger: ({ time }, { zone }) => daily(time, zone, '*'),
  },
  {
    words: `(?:every|each|on|weekly on) ${days},? ${clock}`,
    trigger: ({ days: named = '', time }, { zone }) =>
      daily(time, zone, [...named.matchAll(/mon|tue|wed|thu|fri|sat|sun/gi)].map(([day]) => day).join()),
  },
  {
    words: `(?:every month )?on the (?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of (?:every|each|the) month)?,? ${clock}`,
    trigger: ({ day, time }, { zone }) => {
      const at = timeOfDay(time)
      return at && { kind: 'cron', expression: `${at.minute} ${at.hour} ${day} * *`, zone }
    },
  },
  {
    // Whoever goes on with “at” means a time of the day, in words that no rule above knows.
    // “Checked every” belongs to an e-mail.
    words: '(?<!checked )every (?:(?<count>\\d{1,4}) )?(?<unit>minute|hour|day)s?(?!,? at\\b)',
    trigger: ({ count = '1', unit = '' }, { now }) => ({
      kind: 'every',
      seconds: Number(count) * (secondsOf[unit.toLowerCase()] ?? 0),
      from: now.toISOString(),
    }),
  },
  { words: 'hourly', trigger: (_, { zone }) => ({ kind: 'cron', expression: '0 * * * *', zone }) },
  {
    words: 'in (?<count>\\d{1,4}) (?<unit>minute|hour|day)s?',
    trigger: ({ count, unit = '' }, { now }) => ({
      kind: 'once',
      at: new Date(
        now.getTime() + Number(count) * (secondsOf[unit.toLowerCase()] ?? 0) * 1_000,
      ).toISOString(),
    }),
  },
  {
    words: `(?:once )?(?:at )?(?<moment>\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?:Z|[+-]\\d{2}:\\d{2}))`,
    trigger: ({ moment = '' }) => ({ kind: 'once', at: new Date(moment).toISOString() }),
  },
  {
    words: `(?:once )?(?:on )?(?<date>\\d{4}-\\d{2}-\\d{2}|today|tomorrow),?(?:T| )${clock}`,
    trigger: ({ date = '', time }, { now, zone }) => {
      const at = timeOfDay(time)
      const day = dateOf(date, now, zone)
      return at && day && { kind: 'once', at: momentAt(day, at.text, zone).toISOString() }
    },
  },
  {
    words: `(?:once )?at (?<time>${exact}|\\d{1,2})`,
    trigger: ({ time }, { now, zone }) => {
      const at = timeOfDay(time)
      if (!at) return undefined
      const today = momentAt(localText(now.getTime(), zone).slice(0, 10), at.text, zone)
      const next = today > now ? today : momentAt(dateOf('tomorrow', now, zone) ?? '', at.text, zone)
      return { kind: 'once', at: next.toISOString() }
    },
  },
  {
    words: `(?:when|whenever) ${word} changes`,
    trigger: (found) => ({ kind: 'watch', path: wordIn(found) }),
  },
  {
    words: `(?:when|whenever) a message (?:contains|says) ${word}`,
    trigger: (found) => ({ kind: 'event', on: 'message', contains: wordIn(found) }),
  },
  {
    words: '(?:when|whenever) a message (?:comes|arrives)',
    trigger: () => ({ kind: 'event', on: 'message' }),
  },
  {
    words: `(?:when|whenever) (?:an? )?(?:new )?(?:e-?mail|mail) arrives in ${wordNamed('place')}(?: from (?<from>[^\\s,;]{1,254}))?(?: about ${wordNamed('subject')})?(?:,? checked every (?:(?<count>\\d{1,4}) )?(?<unit>minute|hour)s?)?`,
    trigger: ({ place = '', from, subject, count = '1', unit }) => {
      const [account = '', ...folder] = place.split('/')
      return {
        kind: 'mail',
        account,
        ...(folder.length > 0 ? { folder: folder.join('/') } : {}),
        ...(from === undefined ? {} : { from }),
        ...(subject === undefined ? {} : { subject }),
        ...(unit === undefined
          ? {}
          : { everyMinutes: (Number(count) * (secondsOf[unit.toLowerCase()] ?? 0)) / 60 }),
      }
    },
  },
  {
    words: `(?:when|whenever) (?<type>[a-z]+(?:\\.[a-z_]+)*(?:\\.\\*)?) happens(?: with ${word})?`,
    trigger: ({ type = '', ...found }) => ({
      kind: 'event',
      on: 'ledger',
      type: type.toLowerCase(),
      ...(wordIn(found) === '' ? {} : { contains: wordIn(found) }),
    }),
  },
  {
    words: '(?:on|when) a? ?webhook (?:arrives )?(?:signed )?(?:with )?(?<secret>[a-z][a-z0-9_.-]{0,63})',
    trigger: ({ secret }) => ({ kind: 'webhook', secret }),
  },
]

const secondsOf: Readonly<Record<string, number>> = { minute: 60, hour: 3_600, day: 86_400 }

function daily(time: string | undefined, zone: string, weekdays: string) {
  const at = timeOfDay(time)
  return at && { kind: 'cron', expression: `${at.minute} ${at.hour} * * ${weekdays}`, zone }
}

function timeOfDay(text = ''): { hour: number; minute: number; text: string } | undefined {
  const named = { noon: '12:00', midnight: '0:00' }[text.toLowerCase()] ?? text
  const [, hours, minutes = '0', half] = /^(\d{1,2})(?::(\d{2}))?(?: ?([ap])m)?$/i.exec(named) ?? []
  const given = Number(hours)
  const minute = Number(minutes)
  if (half !== undefined && (given < 1 || given > 12)) return undefined
  const hour = half === undefined ? given : (given % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  if (!(hour <= 23 && minute <= 59)) return undefined
  const two = (value: number) => String(value).padStart(2, '0')
  return { hour, minute, text: `${two(hour)}:${two(minute)}` }
}

function dateOf(word: string, now: Date, zone: string): string | undefined {
  if (word.includes('-')) return Number.isNaN(Date.parse(word)) ? undefined : word
  const today = localText(now.getTime(), zone).slice(0, 10)
  if (word.toLowerCase() === 'today') return today
  return new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10)
}

/** A zone right after the trigger belongs to it. */
function zoneAt(text: string, usual: string): { zone: string; text: string } {
  const [all, name = ''] = /^,? \(?((?:[A-Z][A-Za-z_]+\/[A-Za-z_/+-]+)|UTC)\)?(?=$|[\s,])/.exec(text) ?? []
  return all !== undefined && isZone(name)
    ? { zone: name, text: text.slice(all.length) }
    : { zone: usual, text }
}

function wordIn({ quoted, curly, bare }: Readonly<Record<string, string | undefined>>): string {
  return (quoted ?? curly ?? bare ?? '').trim()
}

function cleaned(text: string): string {
  return text
    .trim()
    .replace(/^[,:;–-]+\s*/, '')
    .replace(/^(?:please |to |then )/i, '')
    .replace(/[\s,:;–-]+$/, '')
    .replaceAll(/\s+/g, ' ')
}
