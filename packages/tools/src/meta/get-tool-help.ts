/** Tells what a tool takes and does. */
import { operatorLabel, tierName } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import { exampleOf } from './example.ts'

export const getToolHelp = defineTool({
  name: 'get_tool_help',
  version: '3',
  description:
    'What a tool does, how often it may be called, the JSON Schema of its arguments and an example.',
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
    const { description, category, schema, effect, floor, undo, rate } = facts
    const help = {
      tool,
      description,
      category,
      least_tier: `T${floor} ${tierName[floor]}`,
      effect,
      ...(undo ? { undone_by: undo } : {}),
      ...(rate ? { at_most: `${rate.calls} calls in ${rate.seconds} seconds` } : {}),
      arguments: schema,
      example: exampleOf(schema),
    }
    const result = succeeded(JSON.stringify(help), `Help for ${tool}`)
    return facts.origin ? { ...result, label: facts.origin.label } : result
  },
})
