/** Owns the generated tools, policies and grants of the trials, and what the executors say that a call would touch. */
import type {
  Autonomy,
  JsonObject,
  PolicyDocument,
  Resolution,
  Tier,
  ToolCatalogue,
  ToolFacts,
} from '@countersign/contract'
import { nodeArgument, operatorLabel } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import { generateCall, generateRule } from '../decide.ts'

const categories = ['file_read', 'file_write', 'network_read', 'system', 'custom', 'devices']
const ownTools = ['tool-0', 'tool-1', 'tool-2', 'tool-3', 'tool-4']
/** Alone touches another computer, and nothing else. */
const nodeTool = 'tool-5'
export const toolNames = [...ownTools, nodeTool]
const floors: readonly Tier[] = [0, 0, 1, 2, 3, 2]

export const floorOf = (name: string): Tier | undefined => floors[toolNames.indexOf(name)]

/** The tools as the gateway would give them out under this policy. */
export function catalogueUnder(passkeyTools: readonly string[]): ToolCatalogue {
  const tools = toolNames.map((name, at) => factsOf(name, at, passkeyTools.includes(name)))
  return {
    list: () => tools,
    find: (name: string) => tools.find((tool) => tool.name === name),
  } as unknown as ToolCatalogue
}

function factsOf(name: string, at: number, passkey: boolean): ToolFacts {
  return {
    name,
    version: '1',
    description: name,
    category: categories[at] ?? 'custom',
    group: 'test',
    tags: [],
    hidden: false,
    listed: true,
    undo: null,
    rate: null,
    origin: null,
    effect: 'once',
    schema: { type: 'object' },
    definition: sha256Hex(name),
    floor: passkey ? 4 : (floorOf(name) ?? 0),
    output: operatorLabel,
    runs: name === nodeTool ? 'node' : 'executor',
    parse: (value) => ({ kind: 'args', args: value as JsonObject }),
    describe: () => name,
    preview: () => ({ kind: 'text', title: name, text: name }),
  }
}

const levels: readonly Autonomy[] = ['none', 'low', 'medium', 'medium', 'high', 'full']

export function anyPolicy(random: Random): PolicyDocument {
  const chance = () => random.below(1 << 30) / (1 << 30)
  return {
    autonomy: random.pick(levels),
    files: Array.from({ length: random.below(4) }, (_, at) => ({
      name: `rules-${at}.cedar`,
      text: `@id("rule-${at}") @why("reason ${at}")\n${generateRule(chance)}`,
    })),
    passkeyTools: toolNames.filter(() => random.below(8) === 0),
  }
}

/** Where a run stands: what it has seen, who asked, and whether somebody watches. */
export function anyCircumstances(random: Random) {
  const { input, unattended } = generateCall(() => random.below(1 << 30) / (1 << 30))
  // Often the operator's own work: there grants count.
  if (random.below(2) === 0)
    return { label: operatorLabel, requester: { kind: 'operator' as const, id: 'desk' }, unattended: false }
  return { label: input.label, requester: input.requester, unattended }
}

export interface MadeCall {
  readonly tool: string
  readonly args: string
  readonly resolution: Resolution
}

export function anyCall(random: Random, at: number): MadeCall {
  if (random.below(2) === 0) return plainLook(random, at)
  const { input, secrets } = generateCall(() => random.below(1 << 30) / (1 << 30))
  const common = { effects: [...input.effects], sandbox: 'none', egress: 'none' }
  const onNode = input.resources.find((resource) => resource.type === 'node')
  if (onNode)
    return {
      tool: nodeTool,
      args: JSON.stringify({ at, [nodeArgument]: onNode.name }),
      resolution: { ...common, resources: [onNode], secrets: [] },
    }
  return {
    tool: random.pick(ownTools),
    args: JSON.stringify({ at }),
    resolution: { ...common, resources: [...input.resources], secrets: [...secrets] },
  }
}

/** What grants are given for: a look at a host that others look at too. */
function plainLook(random: Random, at: number): MadeCall {
  const host = random.pick(['example.org', 'example.com', 'news.example'])
  const look = {
    verb: 'fetch' as const,
    object: host,
    scope: 'inside' as const,
    reversible: true,
    outward: false,
  }
  return {
    tool: random.pick(ownTools),
    args: JSON.stringify({ at }),
    resolution: {
      effects: [{ ...look, leaves: [] }],
      resources: [
        {
          type: 'url',
          scheme: 'https',
          host,
          port: 443,
          method: 'GET',
          addressClass: 'name',
          redirects: 'refused',
          carries: 'address',
        },
      ],
      sandbox: 'none',
      egress: 'none',
      secrets: [],
    },
  }
}
