/** Owns how the limits of a goal are written into a form and read from it. */
import { GoalLimits, type GoalLimitsChange, type Tier } from '@countersign/contract'
import type { Problems } from '../../kit/index.ts'
import { words } from '../../words/goals.tsx'

export interface LimitValues {
  readonly tier: string
  readonly money: string
  readonly hosts: string
  readonly folders: string
  readonly tools: string
  readonly quietFrom: string
  readonly quietTo: string
}

export function valuesOf(limits: GoalLimits): LimitValues {
  return {
    tier: limits.tierMax === undefined ? '' : String(limits.tierMax),
    money: limits.moneyPerDayUsd === undefined ? '' : String(limits.moneyPerDayUsd),
    hosts: linesOf(limits.hosts),
    folders: linesOf(limits.folders),
    tools: linesOf(limits.tools),
    quietFrom: limits.quietHours?.from ?? '',
    quietTo: limits.quietHours?.to ?? '',
  }
}

/** Every limit as the form has it; what is empty is no limit. */
export function changeOf(values: LimitValues, zone: string): GoalLimitsChange {
  const { tier, money, quietFrom, quietTo } = values
  return {
    tierMax: tier === '' ? null : (Number(tier) as Tier),
    moneyPerDayUsd: money.trim() === '' ? null : Number(money),
    hosts: listOf(values.hosts),
    folders: listOf(values.folders),
    tools: listOf(values.tools),
    quietHours: quietFrom === '' && quietTo === '' ? null : { from: quietFrom, to: quietTo, zone },
  }
}

export function problemsOf(values: LimitValues): Problems<LimitValues> {
  const said = words.limitForm
  const { hosts, folders, tools, moneyPerDayUsd, quietHours } = changeOf(values, 'UTC')
  const isBad = (limit: keyof GoalLimits, value: unknown) =>
    value !== null && !GoalLimits.shape[limit].safeParse(value).success
  return {
    money: isBad('moneyPerDayUsd', moneyPerDayUsd) ? said.moneyProblem : undefined,
    hosts: isBad('hosts', hosts) ? said.hostsProblem : undefined,
    folders: isBad('folders', folders) ? said.foldersProblem : undefined,
    tools: isBad('tools', tools) ? said.toolsProblem : undefined,
    quietTo: isBad('quietHours', quietHours) ? said.quietProblem : undefined,
  }
}

const nothing = 'none'

function linesOf(list: readonly string[] | undefined): string {
  if (list === undefined) return ''
  return list.length === 0 ? nothing : list.join('\n')
}

function listOf(text: string): string[] | null {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '')
  if (entries.length === 0) return null
  return entries.length === 1 && entries[0] === nothing ? [] : entries
}
