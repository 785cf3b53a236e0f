/** Switches a custom tool on or off. What is off keeps its code and cannot be called. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { recordUndo, restoring } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import { customToolsCollection, missingTool, toolName } from './custom-tool.ts'

export const toggleCustomTool = defineTool({
  name: 'toggle_custom_tool',
  version: '1',
  description: 'Switch a custom tool on or off.',
  input: z.strictObject({ name: toolName, enabled: z.boolean() }),
  category: 'custom',
  group: 'customTools',
  tags: [
    'enable',
    'disable',
    'activate',
    'deactivate',
    'switch',
    'turn on',
    'turn off',
    'pause',
    'dynamic',
    'script',
    'tool i made',
  ],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  undo: restoring,
  runs: 'gateway',
  describe: ({ name, enabled }) => `Switch the tool ${name} ${enabled ? 'on' : 'off'}`,
  preview: ({ name, enabled }) => ({ kind: 'text', title: enabled ? 'Switch on' : 'Switch off', text: name }),
  async effects({ name, enabled }, context) {
    const found = await context.records.get(customToolsCollection, name)
    if (!found) return { kind: 'invalid', reason: missingTool(name) }
    return {
      kind: 'found',
      resources: [recordResource(customToolsCollection, name, 'write', found.version)],
      effects: [recordEffect('write', `the tool ${name}, ${enabled ? 'on' : 'off'}`)],
    }
  },
  async run({ name, enabled }, context) {
    const found = await context.records.get(customToolsCollection, name)
    if (!found) return failed(missingTool(name))
    const word = enabled ? 'on' : 'off'
    if (found.data['enabled'] === enabled)
      return succeeded(`${name} is ${word} already.`, `${name} is ${word}`)
    const data = { ...found.data, enabled }
    // Who switches does not change what the tool was made from.
    const after = await context.records.replace(customToolsCollection, name, found.version, data, found.label)
    const summary = `Switched the tool ${name} ${word}`
    return succeeded(
      summary,
      summary,
      recordUndo([{ collection: customToolsCollection, id: name, before: found, after }]),
    )
  },
})
