/**
 * Owns what is chosen for each tool of a server before it is accepted: a tier, or that it is not accepted. What the card is made
 * of comes out of it. It only asks: what counts is what the executor is given a permit for.
 */
import {
  type InstalledServer,
  type ListedTool,
  type ServerPreset,
  suggestedTool,
  type Tier,
  type TierCase,
} from '@countersign/contract'

/** `none` is not accepted, or accepted no more. */
export type TierChoice = 'none' | `${Tier}`
export type Choices = Readonly<Record<string, TierChoice>>

export interface AskedTool {
  readonly name: string
  readonly tool: ListedTool
  readonly kind: 'changed' | 'new' | 'accepted' | 'gone'
  /** As it was accepted before. */
  readonly before: ListedTool | null
  /** What is chosen until the operator says otherwise. */
  readonly usual: TierChoice
  /** What its words and the preset suggest. */
  readonly suggested: Tier
  /** Calls that count for less, where the suggested tier is chosen. */
  readonly cases: readonly TierCase[]
}

/** Those that wait first. */
export function askedTools(server: InstalledServer, preset: ServerPreset | undefined): AskedTool[] {
  const accepted = new Map(server.tools.map((tool) => [tool.listed.name, tool]))
  const offered = server.offered.map((tool): AskedTool => {
    const before = accepted.get(tool.name)
    const { tier: suggested, cases } = suggestedTool(tool, preset)
    return {
      name: tool.name,
      tool,
      kind: before ? 'changed' : 'new',
      before: before?.listed ?? null,
      usual: before ? `${before.tier}` : preset ? `${suggested}` : 'none',
      suggested,
      cases: before ? [] : cases,
    }
  })
  const rest = server.tools
    .filter(({ listed }) => !server.offered.some(({ name }) => name === listed.name))
    .map(({ listed, tier }): AskedTool => {
      const isGone = server.gone.includes(listed.name)
      return {
        name: listed.name,
        tool: listed,
        kind: isGone ? 'gone' : 'accepted',
        before: listed,
        usual: isGone ? 'none' : `${tier}`,
        suggested: suggestedTool(listed, preset).tier,
        cases: [],
      }
    })
  const order = ['changed', 'gone', 'new', 'accepted'] as const
  return [...offered, ...rest].toSorted(
    (one, other) => order.indexOf(one.kind) - order.indexOf(other.kind) || one.name.localeCompare(other.name),
  )
}

/** A server may call a tool by the name of anything that every object has. */
export function choiceOf(choices: Choices, { name, usual }: Pick<AskedTool, 'name' | 'usual'>): TierChoice {
  return (Object.hasOwn(choices, name) ? choices[name] : undefined) ?? usual
}

/** The arguments of `accept_server_tools`; nothing where nothing would change. */
export function acceptanceArgs(server: InstalledServer, preset: ServerPreset | undefined, choices: Choices) {
  const asked = askedTools(server, preset)
  const accepted = new Map(server.tools.map((tool) => [tool.listed.name, tool]))
  const tools = asked.flatMap(({ name, tool, kind, usual }) => {
    const choice = choiceOf(choices, { name, usual })
    const before = accepted.get(name)
    if (choice === 'none' || kind === 'gone') return []
    const tier = Number(choice) as Tier
    if (kind === 'accepted' && before?.tier === tier) return []
    // What was decided before stays where the tier does; another tier is for every call of it.
    const known = before?.tier === tier ? before : suggestedTool(tool, preset)
    const isKnown = known.tier === tier
    return [
      {
        tool,
        tier,
        cases: isKnown ? known.cases : [],
        undo: known.undo,
        before: before
          ? { tool: before.listed, tier: before.tier, cases: before.cases, undo: before.undo }
          : null,
      },
    ]
  })
  const drop = asked.flatMap(({ name, kind, usual }) =>
    kind !== 'new' && choiceOf(choices, { name, usual }) === 'none' ? [name] : [],
  )
  return tools.length + drop.length === 0 ? undefined : { server: server.name, tools, drop }
}
