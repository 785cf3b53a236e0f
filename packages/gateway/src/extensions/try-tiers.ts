/** Owns trying tiers of a server's tools on the calls that were made: each is judged as if it had counted for the other tier. */
import {
  type InstalledExtensions,
  type JsonObject,
  type OperatorId,
  parseStrict,
  type Tier,
  type TiersTried,
  type TryTiers,
} from '@countersign/contract'
import type { Kernel } from '@countersign/kernel'
import { effectOfTier, serverNamed, tierOfCall } from '@countersign/tools'

export interface TryTiersParts {
  readonly installed: () => InstalledExtensions
  readonly kernel: Pick<Kernel, 'tryOnCalls'>
  readonly floorOf: (tool: string) => Tier | undefined
  readonly clock: () => Date
}

const day = 24 * 60 * 60_000
const tool = 'call_server_tool'

export async function tryTiers(
  operator: OperatorId,
  server: string,
  { days, tools }: TryTiers,
  { installed, kernel, floorOf, clock }: TryTiersParts,
): Promise<TiersTried> {
  const added = serverNamed(installed(), server)?.addedAt
  // What had the name before it was let in is not that server.
  const since = new Date(
    Math.max(clock().getTime() - days * day, added === undefined ? 0 : Date.parse(added)),
  )
  const tried = await kernel.tryOnCalls(operator, {
    tool,
    since,
    floorOf,
    instead(judged, args) {
      const call = callIn(args)
      const wish = call?.server === server ? tools.find((each) => each.tool === call.tool) : undefined
      if (!call || !wish) return undefined
      const tier = tierOfCall({ tier: wish.tier, cases: wish.cases ?? [] }, call.input)
      return {
        ...judged,
        resources: judged.resources.map((each) => (each.type === 'server-tool' ? { ...each, tier } : each)),
        effects: judged.effects.map((effect) => effectOfTier(tier, effect.object, effect.leaves)),
      }
    },
  })
  return {
    since: since.toISOString(),
    tools: tools.map((wish) => {
      const own = tried.filter(({ args }) => callIn(args)?.tool === wish.tool)
      return {
        tool: wish.tool,
        calls: own.length,
        before: countsOf(own.map(({ before }) => before)),
        after: countsOf(own.map(({ after }) => after)),
      }
    }),
  }
}

type Counts = TiersTried['tools'][number]['before']

function countsOf(decisions: readonly { readonly kind: keyof Counts }[]): Counts {
  const count = (kind: keyof Counts) => decisions.filter((each) => each.kind === kind).length
  return { allow: count('allow'), ask: count('ask'), deny: count('deny') }
}

interface ServerCallArgs {
  readonly server: unknown
  readonly tool: unknown
  readonly input: JsonObject
}

function callIn(args: string): ServerCallArgs | undefined {
  const strict = parseStrict(args)
  if (strict.kind !== 'value') return undefined
  const { server, tool: called, input } = strict.value as JsonObject
  return { server, tool: called, input: (input ?? {}) as JsonObject }
}
