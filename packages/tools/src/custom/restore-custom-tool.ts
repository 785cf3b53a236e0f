/** Takes back the deletion of a custom tool. Refuses if a tool of the name is there by now. Not offered to models. */
import { Label } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { failed, succeeded } from '../result.ts'
import { CustomTool, customToolData, customToolsCollection, toolName } from './custom-tool.ts'

export const restoreCustomTool = defineTool({
  name: 'restore_custom_tool',
  version: '1',
  description: 'Bring a deleted custom tool back.',
  input: z
    .strictObject({
      name: toolName,
      record: z.strictObject({
        data: CustomTool,
        label: Label.nullable(),
        version: z.int(),
        createdAt: z.iso.datetime(),
        updatedAt: z.iso.datetime(),
      }),
    })
    .refine(({ name, record }) => record.data.name === name, 'the record is of another tool'),
  category: 'custom',
  group: 'customTools',
  tags: ['undo', 'revert'],
  effect: 'idempotent',
  floor: 3,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  hidden: true,
  undo: 'delete_custom_tool',
  runs: 'gateway',
  describe: ({ name }) => `Bring the tool ${name} back`,
  preview: ({ name, record }) => ({
    kind: 'code',
    title: name,
    language: 'javascript',
    code: record.data.code,
  }),
  async effects({ name }, context) {
    if (await context.records.get(customToolsCollection, name))
      return { kind: 'invalid', reason: taken(name) }
    return {
      kind: 'found',
      resources: [recordResource(customToolsCollection, name, 'write', null)],
      effects: [recordEffect('write', `the tool ${name}`)],
    }
  },
  async run({ name, record }, context) {
    if (await context.records.get(customToolsCollection, name)) return failed(taken(name))
    await context.records.restore(customToolsCollection, {
      id: name,
      ...record,
      data: customToolData(record.data),
    })
    const summary = `Brought the tool ${name} back`
    return succeeded(summary, summary, { tool: 'delete_custom_tool', args: { name } })
  },
})

function taken(name: string): string {
  return `There is a tool ${name} by now; bringing the earlier one back would lose it.`
}
