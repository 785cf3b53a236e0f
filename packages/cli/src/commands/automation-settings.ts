/** Owns what the options of `countersign automation` ask for. Refuses in words what it does not understand. */
import {
  type AddSchedule,
  type ChangeSchedule,
  isZone,
  MissedPolicy,
  OverlapPolicy,
  readTrigger,
  SessionId,
  Tier,
  Trigger,
} from '@countersign/contract'
import type { OptionValues } from '../context.ts'
import { parseDuration } from '../duration.ts'
import { line } from '../output/safe-text.ts'

export type ReadSettings =
  | { readonly kind: 'settings'; readonly settings: ChangeSchedule }
  | { readonly kind: 'problem'; readonly message: string }

export interface TimeContext {
  readonly now: Date
  readonly zone: string
}

/** Zod's shape says what a part may be; this says it in the words of the command line. */
class UnclearOption extends Error {}

export function settingsOf(options: OptionValues, here: TimeContext): ReadSettings {
  try {
    return { kind: 'settings', settings: read(options, here) }
  } catch (problem) {
    if (problem instanceof UnclearOption) return { kind: 'problem', message: problem.message }
    throw problem
  }
}

/** With a zone of its own the sentence is read here; otherwise the gateway reads it where the operator lives. */
export function withSentence(
  settings: ChangeSchedule,
  sentence: string,
  options: OptionValues,
  here: TimeContext,
): { readonly added: AddSchedule } | { readonly problem: string } {
  const { status: _, ...parts } = settings
  const zone = text(options, 'zone')
  if (parts.trigger === undefined && zone === undefined) return { added: { ...parts, sentence } }
  if (parts.trigger !== undefined)
    return { added: { ...parts, does: parts.does ?? { kind: 'prompt', text: sentence } } }
  const found = readTrigger(sentence, { ...here, zone: zone ?? here.zone })
  if (found.kind === 'unclear')
    return { problem: `${line(found.reason)} Write it like one of these: ${found.examples.join('; ')}.` }
  if (found.rest === '' && parts.does === undefined) return { problem: 'Add what to do after the time.' }
  const does = parts.does ?? { kind: 'prompt' as const, text: found.rest }
  return { added: { ...parts, trigger: found.trigger, does } }
}

function read(options: OptionValues, here: TimeContext): ChangeSchedule {
  const trigger = triggerOf(options, here)
  const plan = text(options, 'plan')
  const prompt = text(options, 'prompt')
  const missed = text(options, 'missed')
  const quiet = text(options, 'quietHours')
  const given: Record<string, unknown> = {
    name: text(options, 'name'),
    trigger,
    does: plan === undefined ? prompt && { kind: 'prompt', text: prompt } : { kind: 'plan', plan },
    agent: text(options, 'agent'),
    goal: text(options, 'goal'),
    success: text(options, 'success'),
    maxCostUsd: dollars(text(options, 'maxCost')),
    tierMax: tier(text(options, 'tierMax')),
    ...(missed === undefined ? {} : missedOf(missed)),
    overlap: oneOf(OverlapPolicy.options, text(options, 'overlap'), '--overlap'),
    onFailure: deliveryOf(text(options, 'onFailure')),
    ...(quiet === undefined ? {} : { quiet: quietOf(quiet, zoneOf(options, here)) }),
  }
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as ChangeSchedule
}

function triggerOf(options: OptionValues, here: TimeContext): Trigger | undefined {
  const ways = (['cron', 'every', 'at', 'on'] as const).flatMap((way) => {
    const value = text(options, way)
    return value === undefined ? [] : [{ way, value }]
  })
  const [first, second] = ways
  if (first?.way !== 'on' || !first.value.startsWith('mail')) refuseMailParts(options)
  if (first === undefined) return undefined
  if (second) throw new UnclearOption(`Take --${first.way} or --${second.way}, not both.`)
  const zone = zoneOf(options, here)
  switch (first.way) {
    case 'cron':
      return checked({ kind: 'cron', expression: first.value, zone }, '--cron')
    case 'every': {
      const ms = parseDuration(first.value)
      if (ms === undefined)
        throw new UnclearOption(`--every is a duration such as 15m or 2h, not ${line(first.value)}.`)
      return checked(
        { kind: 'every', seconds: Math.round(ms / 1_000), from: here.now.toISOString() },
        '--every',
      )
    }
    case 'at': {
      const found = readTrigger(first.value, { now: here.now, zone })
      if (found.kind === 'unclear' || found.trigger.kind !== 'once' || found.rest !== '')
        throw new UnclearOption(
          `--at is a time such as "tomorrow at 9:00" or 2026-03-31T14:00, not ${line(first.value)}.`,
        )
      return found.trigger
    }
    case 'on':
      return checked(eventOf(first.value, options), '--on')
  }
}

function eventOf(value: string, options: OptionValues): unknown {
  const [, kind, rest = ''] = /^(message|ledger|file|webhook|mail)(?::(.*))?$/s.exec(value) ?? []
  if (kind === 'message') return { kind: 'event', on: 'message', ...(rest === '' ? {} : { contains: rest }) }
  if (kind === 'ledger') return { kind: 'event', on: 'ledger', type: rest }
  if (kind === 'file') return { kind: 'watch', path: rest }
  if (kind === 'webhook') return { kind: 'webhook', secret: rest }
  if (kind === 'mail') return mailOf(rest, options)
  throw new UnclearOption(
    '--on is message:<words>, ledger:<type>, file:<path>, webhook:<secret> or mail:<account>.',
  )
}

const mailParts = ['from', 'subject', 'checkEvery'] as const

function mailOf(place: string, options: OptionValues): unknown {
  const [account = '', ...folder] = place.split('/')
  const [from, subject, every] = mailParts.map((name) => text(options, name))
  const ms = every === undefined ? undefined : parseDuration(every)
  if (every !== undefined && (ms === undefined || ms % 60_000 !== 0))
    throw new UnclearOption(`--check-every is whole minutes such as 5m or 1h, not ${line(every)}.`)
  return {
    kind: 'mail',
    account,
    ...(folder.length === 0 ? {} : { folder: folder.join('/') }),
    ...(from === undefined ? {} : { from }),
    ...(subject === undefined ? {} : { subject }),
    ...(ms === undefined ? {} : { everyMinutes: ms / 60_000 }),
  }
}

function refuseMailParts(options: OptionValues): void {
  if (mailParts.some((name) => text(options, name) !== undefined))
    throw new UnclearOption('--from, --subject and --check-every go with --on mail:<account>.')
}

function checked(value: unknown, option: string): Trigger {
  const parsed = Trigger.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UnclearOption(`${option}: ${line(issue?.message ?? 'not understood')}`)
}

function zoneOf(options: OptionValues, here: TimeContext): string {
  const zone = text(options, 'zone') ?? here.zone
  if (!isZone(zone))
    throw new UnclearOption(`--zone is a time zone such as Europe/Zagreb, not ${line(zone)}.`)
  return zone
}

function missedOf(value: string): Pick<ChangeSchedule, 'missed' | 'most'> {
  const [policy = '', most] = value.split(':')
  const missed = oneOf(MissedPolicy.options, policy, '--missed')
  const count = Number(most)
  if (most !== undefined && (missed !== 'all' || !Number.isInteger(count) || count < 1 || count > 100))
    throw new UnclearOption('Only all takes a number, from 1 to 100: --missed all:3.')
  return { ...(missed ? { missed } : {}), ...(most === undefined ? {} : { most: count }) }
}

function deliveryOf(value: string | undefined): ChangeSchedule['onFailure'] {
  if (value === undefined) return undefined
  const places = value.split(',').map((each) => each.trim())
  const session = places.find((each) => each !== 'feed') ?? null
  if (session !== null && (!SessionId.safeParse(session).success || places.length > 2))
    throw new UnclearOption('--on-failure takes feed, a session id, or both separated by a comma.')
  return { feed: places.includes('feed'), session: session as SessionId | null }
}

function quietOf(value: string, zone: string): ChangeSchedule['quiet'] {
  if (value === 'none') return null
  const [, from, to] = /^(\d{2}:\d{2})\s*-\s*(\d{2}:\d{2})$/.exec(value) ?? []
  if (from === undefined || to === undefined)
    throw new UnclearOption('--quiet-hours takes hours such as 22:00-07:00, or none.')
  return { from, to, zone }
}

function dollars(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!/^\$?\d+(\.\d+)?$/.test(value))
    throw new UnclearOption(`--max-cost is an amount such as 0.05, not ${line(value)}.`)
  return Number(value.replace('$', ''))
}

function tier(value: string | undefined): Tier | undefined {
  if (value === undefined) return undefined
  const parsed = Tier.safeParse(Number(value.replace(/^T/i, '')))
  if (!parsed.success) throw new UnclearOption(`--tier-max is a tier from 0 to 4, not ${line(value)}.`)
  return parsed.data
}

function oneOf<T extends string>(
  options: readonly T[],
  value: string | undefined,
  name: string,
): T | undefined {
  const found = options.find((each) => each === value)
  if (value !== undefined && !found)
    throw new UnclearOption(`${name} is one of ${options.join(', ')}, not ${line(value)}.`)
  return found
}

function text(options: OptionValues, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}
