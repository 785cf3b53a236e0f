/** Owns how the limits of a person are given on the command line, and how they are said. */
import { listIn, type PeerLimits } from '@countersign/contract'
import type { OptionValues } from '../context.ts'
import { money } from '../output/money.ts'
import { line } from '../output/safe-text.ts'

/** Those that were given; a sentence where one cannot be. */
export function limitsOf(options: OptionValues): Partial<PeerLimits> | string {
  const limits: { -readonly [Name in keyof PeerLimits]?: PeerLimits[Name] } = {}
  const { tools, tier, dailyUsd, hours, messagesPerHour } = options
  if (typeof tools === 'string') limits.tools = toolsIn(tools)
  if (typeof tier === 'string') {
    const found = ([0, 1, 2, 3] as const).find((each) => String(each) === tier.replace(/^[tT]/, ''))
    if (found === undefined) return '--tier: choose from 0, 1, 2 and 3.'
    limits.tier = found
  }
  if (typeof dailyUsd === 'string') {
    const usd = numberIn(dailyUsd, 1_000)
    if (usd === undefined) return '--daily-usd takes US dollars, from 0 to 1000, such as 0.50.'
    limits.dailyUsd = usd
  }
  if (typeof hours === 'string') {
    const found = hoursIn(hours)
    if (found === undefined) return '--hours takes full hours of your day, such as 8-22 or 20-2, or always.'
    limits.hours = found
  }
  if (typeof messagesPerHour === 'string') {
    const count = numberIn(messagesPerHour, 1_000)
    if (count === undefined || !Number.isInteger(count))
      return '--messages-per-hour takes a whole number, from 0 to 1000.'
    limits.messagesPerHour = count
  }
  return limits
}

export function limitsText({ tools, tier, dailyUsd, hours, messagesPerHour }: PeerLimits): string {
  return [
    tools === null ? 'any tool' : tools.length === 0 ? 'no tool' : tools.map(line).join(', '),
    `up to T${tier}`,
    `${money(dailyUsd)} a day`,
    ...(hours === null ? [] : [`${hours.from}:00 to ${hours.to}:00`]),
    `${messagesPerHour} an hour`,
  ].join(' · ')
}

function toolsIn(text: string): string[] | null {
  if (text === 'any') return null
  return text === 'none' ? [] : listIn(text)
}

function numberIn(text: string, most: number): number | undefined {
  const number = Number(text)
  return text.trim() !== '' && Number.isFinite(number) && number >= 0 && number <= most ? number : undefined
}

function hoursIn(text: string): PeerLimits['hours'] | undefined {
  if (text === 'always') return null
  const [, from = '', to = ''] = /^(\d{1,2})-(\d{1,2})$/.exec(text) ?? []
  if (from === '' || Number(from) > 23 || Number(to) > 24) return undefined
  return { from: Number(from), to: Number(to) }
}
