/** Owns what the kernel may know of a tool that was made in a conversation. It stands for one run of its program. */
import {
  canonicalText,
  type JsonObject,
  operatorLabel,
  type StoredRecord,
  type ToolFacts,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { type CustomTool, readCustomTool } from './custom-tool.ts'
import { parserOf } from './parameters.ts'

/** A damaged record becomes a tool that takes no arguments, so that it keeps nobody from the others. */
export function customToolFacts(record: StoredRecord): ToolFacts {
  const tool = readCustomTool(record)
  return tool ? factsOf(tool) : damaged(record)
}

function factsOf(tool: CustomTool): ToolFacts {
  const { name, description, code, permissions, origin, requiredApiKeys } = tool
  const keys = requiredApiKeys.map((key) => key.name)
  const parameters = tool.parameters as JsonObject
  const parse = parserOf(parameters)
  return {
    ...common,
    name,
    version: String(tool.version),
    description,
    tags: [...permissions, 'custom'],
    schema: parameters,
    definition: sha256Hex(canonicalText({ name, description, parameters, code, permissions })),
    origin,
    ...(keys.length === 0 ? {} : { needsKeys: requiredApiKeys }),
    parse,
    describe: (args) => `Use ${name}${brief(args)}`,
    preview: (args) => ({ kind: 'text', title: name, text: JSON.stringify(args, null, 2) }),
    unwrap: (args) => ({
      kind: 'one',
      call: { tool: 'run_custom_tool', args: { name, code, input: args, permissions, keys, journal: [] } },
    }),
  }
}

function damaged({ id }: StoredRecord): ToolFacts {
  const why = `The record of the tool ${id} is damaged. Delete it with delete_custom_tool and make it again.`
  return {
    ...common,
    name: id,
    version: '0',
    description: why,
    tags: [],
    schema: { type: 'object', properties: {}, additionalProperties: false },
    definition: sha256Hex(`damaged\n${id}`),
    origin: null,
    parse: () => ({ kind: 'invalid', problems: [why] }),
    describe: () => `Use ${id}`,
    preview: () => ({ kind: 'text', title: id, text: why }),
  }
}

/** The program adds no content of its own: what it was made from is its origin, what it calls has its own label. */
const common = {
  category: 'custom',
  group: 'customTools',
  effect: 'pure',
  floor: 0,
  output: operatorLabel,
  runs: 'unwrapped',
  hidden: false,
  listed: false,
  undo: null,
  rate: null,
} as const

const longestBrief = 100

function brief(args: JsonObject): string {
  const text = Object.entries(args)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
  if (text === '') return ''
  return text.length <= longestBrief ? `: ${text}` : `: ${text.slice(0, longestBrief - 1)}…`.toWellFormed()
}
