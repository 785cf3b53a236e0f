/** Owns what an approval is to allow besides this one call, as it is said on the command line. Pure. */
import { type GrantRequest, GrantStop, RuleRequest } from '@countersign/contract'
import type { OptionValues } from '../context.ts'
import { parseDuration } from '../duration.ts'

const places: readonly string[] = RuleRequest.shape.where.options
export const usualDays = 30
export const usualUses = 100

/** Undefined for this call alone; a sentence when the options make no grant. */
export function grantOf(options: OptionValues): GrantRequest | undefined | string {
  const { for: scope, rule, where, days, max } = options
  if (rule !== undefined)
    return scope === undefined ? ruleOf(options) : 'Use either --for or --rule, not both.'
  if (where !== undefined || days !== undefined || options.untrusted !== undefined)
    return '--where, --days and --untrusted need --rule.'
  if (scope === undefined) return max === undefined ? undefined : '--max needs --for or --rule.'
  const maxUses = max === undefined ? undefined : wholeNumber(max, 1_000)
  if (max !== undefined && maxUses === undefined) return '--max is a number from 1 to 1000.'
  const limit = maxUses === undefined ? {} : { maxUses }
  if (scope === 'run' || scope === 'session') return { scope, ...limit }
  const ms = parseDuration(String(scope))
  const minutes = ms === undefined ? Number.NaN : Math.floor(ms / 60_000)
  if (!(minutes >= 1 && minutes <= 1_440)) return '--for is run, session, or a time from 1m to 24h.'
  return { scope: 'time', minutes, ...limit }
}

function ruleOf({ rule, where = 'agent', days, max, untrusted }: OptionValues): RuleRequest | string {
  const stop = GrantStop.safeParse(rule)
  if (!stop.success) return `--rule is one of ${GrantStop.options.join(', ')}.`
  if (typeof where !== 'string' || !places.includes(where)) return `--where is one of ${places.join(', ')}.`
  const lasts = days === undefined ? usualDays : wholeNumber(days, 365)
  if (lasts === undefined) return '--days is a number from 1 to 365.'
  const uses = max === undefined ? usualUses : max === 'any' ? null : wholeNumber(max, 100_000)
  if (uses === undefined) return '--max is a number from 1 to 100000, or any.'
  return {
    scope: 'rule',
    stop: stop.data,
    where: where as RuleRequest['where'],
    days: lasts,
    maxUses: uses,
    ...(untrusted === true ? { untrusted } : {}),
  }
}

function wholeNumber(given: string | boolean, most: number): number | undefined {
  const number = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : Number.NaN
  return number >= 1 && number <= most ? number : undefined
}
