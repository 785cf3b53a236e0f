/**
 * Runs the program of a custom tool in the JavaScript machine. It touches nothing itself: where it calls a tool, it
 * ends with that call, which goes through the door like any other, and is run again with the answer. Not offered to
 * models: a custom tool stands for it.
 */
import {
  canonicalText,
  type JsonObject,
  type JsonValue,
  operatorLabel,
  type ToolResult,
} from '@countersign/contract'
import { z } from 'zod'
import type { ScriptResult } from '../capabilities.ts'
import { defineTool } from '../definition.ts'
import { apiKey, toolCode, toolName, toolPermissions } from './custom-tool.ts'
import { callableWith, refusalOf } from './permissions.ts'

export const runCustomTool = defineTool({
  name: 'run_custom_tool',
  version: '3',
  description: 'Run the program of a custom tool.',
  input: z.strictObject({
    name: toolName,
    code: toolCode,
    input: z.record(z.string(), z.custom<JsonValue>()),
    permissions: toolPermissions,
    keys: z.array(apiKey.shape.name).max(10).default([]),
    journal: z
      .array(z.strictObject({ call: z.string().regex(/^[0-9a-f]{64}$/), ok: z.boolean(), text: z.string() }))
      .max(20),
  }),
  category: 'custom',
  group: 'customTools',
  tags: ['script', 'javascript', 'run'],
  effect: 'pure',
  floor: 0,
  output: operatorLabel,
  hidden: true,
  runs: 'executor',
  sandbox: 'script',
  egress: 'none',
  describe: ({ name }) => `Run the program of ${name}`,
  // What it is run with stands first: a program shows what it may do only together with its input and its permissions.
  preview: ({ name, code, input, permissions, keys }) => ({
    kind: 'code',
    title: name,
    language: 'javascript',
    code: `// input: ${JSON.stringify(input)}\n// permissions: ${permissions.join(', ') || 'none'}\n${keysLine(keys)}${code}`,
  }),
  effects: async () => ({ kind: 'found', resources: [], effects: [] }),
  async run({ name, code, input, permissions, keys, journal }, capabilities, signal) {
    const end = await capabilities.script.run(
      {
        name,
        code,
        input: input as JsonObject,
        journal,
        keys,
        tools: callableWith(permissions),
        network: permissions.includes('network'),
        refusal: refusalOf(permissions),
      },
      signal,
    )
    return resultOf(name, end)
  },
})

function keysLine(keys: readonly string[]): string {
  return keys.length === 0 ? '' : `// secrets: ${keys.join(', ')}\n`
}

function resultOf(name: string, end: ScriptResult): ToolResult {
  switch (end.kind) {
    case 'calls': {
      const calls = end.calls.map(({ tool, args }) => ({ tool, args: canonicalText(args) }))
      const summary = `${name} needs ${calls.map(({ tool }) => tool).join(', ')}`
      return { ok: true, text: '', summary, undo: null, calls }
    }
    case 'returned': {
      const text = [wordsOf(end.value), ...logOf(end.log)].join('\n\n').toWellFormed()
      return { ok: true, text, summary: `Ran ${name}`, undo: null }
    }
    case 'failed': {
      const reason = `${name} failed: ${end.reason}`
      return { ok: false, text: [reason, ...logOf(end.log ?? [])].join('\n\n'), summary: reason, undo: null }
    }
  }
}

/** A text is told as it is, anything else as JSON. */
function wordsOf(value: JsonValue): string {
  if (value === null) return 'It returned nothing.'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function logOf(lines: readonly string[]): string[] {
  return lines.length > 0 ? [`[log]\n${lines.join('\n')}`] : []
}
