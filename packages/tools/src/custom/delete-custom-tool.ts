/** Deletes a custom tool; an undo brings it back. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { failed, succeeded } from '../result.ts'
import { customToolsCollection, missingTool, readCustomTool, toolName } from './custom-tool.ts'

export const deleteCustomTool = defineTool({
  name: 'delete_custom_tool',
  version: '1',
  description: 'Delete a custom tool.',
  input: z.strictObject({ name: toolName }),
  category: 'custom',
  group: 'customTools',
  tags: ['remove', 'erase', 'drop', 'get rid', 'tool i made', 'script', 'dynamic'],
  effect: 'idempotent',
  floor: 3,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  undo: 'restore_custom_tool',
  runs: 'gateway',
  describe: ({ name }) => `Delete the tool ${name}`,
  preview: ({ name }) => ({ kind: 'text', title: 'Delete the tool', text: name }),
  async effects({ name }, context) {
    const found = await context.records.get(customToolsCollection, name)
    if (!found) return { kind: 'invalid', reason: missingTool(name) }
    return {
      kind: 'found',
      resources: [recordResource(customToolsCollection, name, 'delete', found.version)],
      effects: [recordEffect('delete', `the tool ${name}`)],
    }
  },
  async run({ name }, context) {
    const found = await context.records.get(customToolsCollection, name)
    if (!found) return failed(missingTool(name))
    await context.records.remove(customToolsCollection, name, found.version)
    const summary = `Deleted the tool ${name}`
    // What is damaged cannot be used, and so is not brought back.
    if (!readCustomTool(found)) return succeeded(`${summary}.`, summary)
    const { id: _, label, ...rest } = found
    return succeeded(`${summary}. It can be undone.`, summary, {
      tool: 'restore_custom_tool',
      args: { name, record: { ...rest, label: label && { ...label } } },
    })
  },
})
