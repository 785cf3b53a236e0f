/** Tells what a tool takes and does. */
import { operatorLabel, tierName } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { nameText } from '../text.ts'

export const getToolHelp = defineTool({
  name: 'get_tool_help',
  version: '2',
  description: 'What a tool does and the JSON Schema of its arguments.',
  input: z.strictObject({ tool: nameText(64) }),
  category: 'meta',
  group: 'core',
  tags: [
    'parameters',
    'arguments',
    'schema',
    'usage',
    'how to use',
    'explain tool',
    'documentation',
    'instructions',
  ],
  effect: 'pure',
  floor: 0,
  output: operatorLabel,
  listed: true,
  runs: 'gateway',
  describe: ({ tool }) => `Help for ${tool}`,
  preview: ({ tool }) => ({ kind: 'text', title: 'Help', text: tool }),
  effects: async () => ({ kind: 'found', resources: [], effects: [] }),
  async run({ tool }, { catalogue }) {
    const facts = catalogue.find(tool)
    if (!facts || facts.hidden) return failed(catalogue.missing(tool))
    const { description, category, schema, effect, floor, undo } = facts
    const help = {
      tool,
      description,
      category,
      least_tier: `T${floor} ${tierName[floor]}`,
      effect,
      ...(undo ? { undone_by: undo } : {}),
      arguments: schema,
    }
    const result = succeeded(JSON.stringify(help), `Help for ${tool}`)
    return facts.origin ? { ...result, label: facts.origin.label } : result
  },
})
