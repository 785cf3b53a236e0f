/** `countersign extension try`: what the tiers of a server's tools would have decided about the calls that were made. */
import {
  type InstalledServer,
  type ServerPreset,
  suggestedTool,
  type Tier,
  type TiersTried,
  type TryTiers,
} from '@countersign/contract'
import type { Context, Handler, OptionValues } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { line } from '../output/safe-text.ts'
import { tierLabel } from '../output/tier.ts'
import { listOf, presetOf } from './extension-launch.ts'

const command = 'extension try'
const usualDays = 30

export const tryTiers: Handler = async (context, [name = ''], options) => {
  const preset = presetOf(options)
  if (typeof preset === 'string') return usage(preset, command)
  const days = options['days'] === undefined ? usualDays : Number(options['days'])
  if (!(Number.isInteger(days) && days >= 1 && days <= 365))
    return usage('--days is a number from 1 to 365.', command)
  const { client } = await context.gateway()
  const server = (await client.extensions()).servers.find((each) => each.name === name)
  if (!server)
    return usage(`There is no server ${line(name)}. See them with \`countersign extension list\`.`, command)
  const tools = triedTools(server, options, preset)
  if (typeof tools === 'string') return usage(tools, command)
  if (tools.length === 0)
    return usage(
      `The server ${line(name)} was not asked yet: \`countersign extension look ${line(name)}\`.`,
      command,
    )
  context.working('Judging the calls that were made by these tiers')
  const tried = await client.tryServerTiers(name, { days, tools })
  return done({ ...tried, tiers: tools }, () => textOf(context, server, tools, tried))
}

type TriedTool = TryTiers['tools'][number]

/** As it was accepted, or as it is suggested, unless another tier is named. A text says what is wrong. */
export function triedTools(
  { name, tools, offered }: Pick<InstalledServer, 'name' | 'tools' | 'offered'>,
  options: OptionValues,
  preset: ServerPreset | undefined,
): TriedTool[] | string {
  const usual = new Map<string, TriedTool>(
    [
      ...offered.map((tool) => ({ tool: tool.name, ...suggestedTool(tool, preset) })),
      ...tools.map(({ listed, ...accepted }) => ({
        tool: listed.name,
        ...(preset ? suggestedTool(listed, preset) : accepted),
      })),
    ].map(({ tool, tier, cases }) => [tool, { tool, tier, cases }]),
  )
  const wished = listOf(options['tool'])
  if (wished.length === 0) return [...usual.values()]
  const chosen = wished.map((text) => {
    const [, tool = text, tier] = /^(.+?)(?:=([0-4]))?$/.exec(text) ?? []
    const known = usual.get(tool)
    return known && tier !== undefined ? { tool, tier: Number(tier) as Tier, cases: [] } : known
  })
  const missing = wished.find((_, at) => chosen[at] === undefined)
  return missing === undefined
    ? chosen.flatMap((each) => each ?? [])
    : `The server ${line(name)} offers no tool ${line(missing.replace(/=.*$/, ''))}.`
}

function textOf(
  { paint }: Pick<Context, 'paint'>,
  { name }: InstalledServer,
  tools: readonly TriedTool[],
  tried: TiersTried,
): string {
  const called = tried.tools.filter(({ calls }) => calls > 0)
  const never = tried.tools.length - called.length
  const rest =
    never === 0
      ? []
      : [`${never} ${never === 1 ? 'tool was' : 'tools were'} not called since ${tried.since.slice(0, 10)}.`]
  if (called.length === 0) return rest.join('')
  const rows = called.map(({ tool, calls, before, after }) => {
    const { tier = 3, cases = [] } = tools.find((each) => each.tool === tool) ?? {}
    const less = cases.length === 0 ? '' : `, ${cases.length} less`
    return [
      line(tool),
      `${tierLabel(tier, paint)}${less}`,
      String(calls),
      changeText(before.allow, after.allow),
      changeText(before.ask, after.ask),
      changeText(before.deny, after.deny),
    ]
  })
  return [
    columns([['Tool', 'Tier', 'Calls', 'Run unasked', 'Asked', 'Refused'], ...rows]),
    ...rest,
    `Nothing was changed. Accept with \`countersign extension accept ${line(name)} --tool NAME=TIER\`.`,
  ].join('\n')
}

function changeText(before: number, after: number): string {
  return before === after ? String(after) : `${after} (was ${before})`
}
