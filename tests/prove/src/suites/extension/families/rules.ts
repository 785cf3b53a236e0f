/** Servers of which the operator's own rules name one tool: what is forbidden stays so, and what is allowed is no more than that. */
import { type JsonObject, operatorLabel } from '@countersign/contract'
import { compilePolicies, decide, factsOf, type PolicySet } from '@countersign/policy'
import type { ExtensionBench } from '../bench.ts'
import type { Family } from '../family.ts'
import { tool } from '../plan.ts'

const tools = ['unlock', 'warm', 'look'] as const

const named: Family = {
  name: 'tools that a rule names by their server',
  mutants: ['rules-forget-servers'],
  async attempt(bench, random) {
    const name = bench.nextName()
    const folder = bench.program({ tools: tools.map((each) => tool(each)) })
    await bench.add(name, await bench.launch(folder), folder)
    await bench.look(name)
    await bench.accept(name, { unlock: 1, warm: 2, look: 1 })
    const set = setOf(name)
    try {
      const input = { name: `thing ${random.below(1_000)}` }
      const found = await Promise.all(
        tools.map(async (each) => [each, await decided(bench, set, name, each, input)] as const),
      )
      const wanted: Readonly<Record<string, string>> = { unlock: 'deny', warm: 'allow', look: 'allow' }
      return found.flatMap(([each, kind]) => (kind === wanted[each] ? [] : [`${each}: ${kind}`]))
    } finally {
      set.dispose()
    }
  },
}

/** At the level that frees T1: one tool of it is forbidden, and one that crosses a boundary is allowed. */
function setOf(server: string): PolicySet {
  const text = `forbid (principal, action, resource) when { context.server == "${server}" && context.serverTool == "unlock" };
permit (principal, action, resource) when { context.server == "${server}" && context.serverTool == "warm" && context.tier <= 2 };`
  const compiled = compilePolicies({ autonomy: 'medium', files: [{ name: 'mine.cedar', text }] })
  if (compiled.kind === 'invalid') throw new Error(JSON.stringify(compiled.problems))
  return compiled.set
}

async function decided(
  bench: ExtensionBench,
  set: PolicySet,
  server: string,
  wanted: string,
  input: JsonObject,
): Promise<string> {
  const args = bench.argsOf(server, wanted, input)
  const seen = await bench.executor().resolve('call_server_tool', JSON.stringify({ secrets: [], ...args }))
  if (seen.kind !== 'resolved') return seen.kind
  const { effects, resources } = seen.resolution
  const facts = factsOf({
    tool: { name: 'call_server_tool', category: 'servers', floor: 0, declaresEffects: true },
    effects,
    resources,
    label: operatorLabel,
    requester: { kind: 'operator', id: 'requester_1' },
    identityFlags: false,
    secrets: [],
    unattended: false,
  })
  return decide({ ...facts, granted: null }, set).kind
}

export const ruleFamilies: readonly Family[] = [named]
