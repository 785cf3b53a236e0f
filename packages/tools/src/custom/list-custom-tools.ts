/** Lists the tools that were made in conversations, with what they may do and whether they are on. */
import { missingKeys, missingKeyText } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { listing } from '../records/effects.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { succeeded } from '../result.ts'
import { customToolsCollection, readCustomTool } from './custom-tool.ts'

export const listCustomTools = defineTool({
  name: 'list_custom_tools',
  version: '2',
  description:
    'List the custom tools: what they do, what they may use, whether they are on, and which secrets they lack.',
  input: z.strictObject({
    enabled: z.boolean().optional(),
    limit: z.int().min(1).default(50),
  }),
  category: 'custom',
  group: 'customTools',
  tags: ['own tools', 'made', 'i made', 'built', 'built myself', 'scripts', 'dynamic', 'show', 'which tools'],
  effect: 'pure',
  floor: 0,
  output: recordLabel,
  limit: { param: 'limit', max: 200, default: 50 },
  runs: 'gateway',
  describe: () => 'List the custom tools',
  preview: () => ({ kind: 'text', title: 'List', text: 'The custom tools' }),
  effects: async () => listing(customToolsCollection, 'the custom tools'),
  async run({ enabled, limit }, context) {
    const { records, total } = await context.records.list(customToolsCollection, {
      ...(enabled === undefined ? {} : { where: { enabled } }),
      order: [{ field: 'name', direction: 'up' }],
      limit,
    })
    if (total === 0) return succeeded('There are no custom tools.', 'No custom tools')
    const kept = await context.secretNames?.()
    const lines = records.map((record) => {
      const tool = readCustomTool(record)
      if (!tool) return `${record.id}: damaged`
      const may = tool.permissions.length > 0 ? `may use ${tool.permissions.join(', ')}` : 'may use nothing'
      const keys = tool.requiredApiKeys.map((key) => key.name)
      const needs = keys.length === 0 ? '' : `, needs the secrets ${keys.join(', ')}`
      const lacks = kept ? missingKeyText(missingKeys(keys, kept)) : ''
      const head = `${tool.name} (${tool.enabled ? 'on' : 'off'}, ${may}${needs}): ${tool.description}`
      return lacks === '' ? head : `${head}\n  ${lacks}`
    })
    const more = total > records.length ? `\n${total - records.length} more.` : ''
    return tellingOf(records, succeeded(`${lines.join('\n')}${more}`, `${total} custom tools`))
  },
})
