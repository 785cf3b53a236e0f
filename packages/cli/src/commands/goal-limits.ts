/** Reads the limits of a goal from the options, and says them in words. */
import { type GoalLimits, type GoalLimitsChange, tierName } from '@countersign/contract'
import type { OptionValues } from '../context.ts'
import { money } from '../output/money.ts'
import { line } from '../output/safe-text.ts'

/** A sentence when an option is not what it should be. */
export function limitsIn(options: OptionValues, zone: string): GoalLimitsChange | string {
  const change: Record<string, unknown> = {}
  for (const name of ['tools', 'hosts', 'folders'] as const) {
    const value = options[name]
    if (typeof value === 'string') change[name] = value === 'any' ? null : listOf(value)
  }
  const { money: dollars, tierMax, quietHours: quiet } = options
  if (typeof dollars === 'string') {
    const amount = /^\$?\d+(\.\d+)?$/.test(dollars) ? Number(dollars.replace('$', '')) : undefined
    if (dollars !== 'any' && amount === undefined)
      return `${line(dollars)} is not an amount such as 2 or 0.50.`
    change['moneyPerDayUsd'] = dollars === 'any' ? null : amount
  }
  if (typeof tierMax === 'string') {
    if (tierMax !== 'any' && !/^T?[0-4]$/i.test(tierMax)) return '--tier-max is a number from 0 to 4, or any.'
    change['tierMax'] = tierMax === 'any' ? null : Number(tierMax.replace(/^T/i, ''))
  }
  if (typeof quiet === 'string') {
    const [, from, to] = /^(\d{2}:\d{2})-(\d{2}:\d{2})$/.exec(quiet) ?? []
    if (quiet !== 'none' && (from === undefined || to === undefined))
      return '--quiet-hours takes hours such as 22:00-07:00, or none.'
    change['quietHours'] = quiet === 'none' ? null : { from, to, zone }
  }
  return change as GoalLimitsChange
}

/** One row for each limit that is set. */
export function limitRows({
  tools,
  hosts,
  folders,
  moneyPerDayUsd,
  tierMax,
  quietHours,
}: GoalLimits): string[][] {
  return [
    ...(tools === undefined ? [] : [['Tools', namesOf(tools)]]),
    ...(hosts === undefined ? [] : [['Hosts', namesOf(hosts)]]),
    ...(folders === undefined ? [] : [['Folders', namesOf(folders)]]),
    ...(moneyPerDayUsd === undefined ? [] : [['Money', `${money(moneyPerDayUsd)} a day`]]),
    ...(tierMax === undefined ? [] : [['Tier', `up to “${tierName[tierMax]}”`]]),
    ...(quietHours === undefined
      ? []
      : [
          ['Quiet', `${quietHours.from} to ${quietHours.to} (${line(quietHours.zone)}), for unattended work`],
        ]),
  ]
}

const namesOf = (names: readonly string[]): string =>
  names.length === 0 ? 'none' : names.map(line).join(', ')

function listOf(text: string): string[] {
  if (text === 'none') return []
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
