/**
 * Makes a tool from a program. The program is shown whole before it is kept, and whatever it calls later goes through
 * the door as any call does. Refuses a name that is taken or could be mistaken for one that is.
 */
import { type JsonObject, type JsonValue, missingKeys, missingKeyText } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { groups } from '../groups.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { keptLabel } from '../records/kept-label.ts'
import { failed, succeeded } from '../result.ts'
import { codeProblem } from './code.ts'
import {
  apiKey,
  type CustomTool,
  customToolData,
  customToolsCollection,
  toolCode,
  toolDescription,
  toolName,
  toolPermissions,
} from './custom-tool.ts'
import { readParameters } from './parameters.ts'
import { accessOf } from './permissions.ts'

export const createTool = defineTool({
  name: 'create_tool',
  version: '3',
  description:
    'Make a reusable tool from JavaScript. The code is the body of an async function: it has args, utils (callTool(name, args), getApiKey(name), hash, dates, text, csv …), console, and fetch with the permission network; it returns JSON. No imports, no timers.',
  input: z.strictObject({
    name: toolName,
    description: toolDescription,
    parameters: z
      .union([z.string().max(32_768), z.record(z.string(), z.custom<JsonValue>())])
      .describe('JSON Schema of an object'),
    code: toolCode,
    permissions: toolPermissions
      .default([])
      .describe('What it may call: web tools, files, your data and tables, programs, mail, schedules'),
    required_api_keys: z
      .array(apiKey)
      .max(10)
      .default([])
      .describe('Secrets it reads with getApiKey; without them it is not run'),
  }),
  category: 'custom',
  group: 'customTools',
  tags: [
    'make',
    'make a tool',
    'build',
    'custom',
    'script',
    'javascript',
    'function',
    'macro',
    'automate',
    'dynamic',
    'new',
    'program',
  ],
  effect: 'idempotent',
  floor: 3,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  undo: 'delete_custom_tool',
  runs: 'gateway',
  describe: ({ name, permissions }) =>
    `Make the tool ${name}${permissions.length > 0 ? `, which may use ${permissions.join(', ')}` : ''}`,
  preview: ({ name, description, parameters, permissions, code, required_api_keys }) => ({
    kind: 'code',
    title: `${name}: ${description}`,
    language: 'javascript',
    code: [
      `// It may call tools for: ${permissions.length === 0 ? 'computing only' : permissions.join(', ')}.`,
      `// It takes: ${JSON.stringify(parameters)}`,
      ...(required_api_keys.length === 0
        ? []
        : [`// It needs the secrets: ${required_api_keys.map((key) => key.name).join(', ')}.`]),
      code,
    ].join('\n'),
  }),
  async effects(args, context) {
    const reason = await problemWith(args, context)
    if (reason !== null) return { kind: 'invalid', reason }
    return {
      kind: 'found',
      resources: [recordResource(customToolsCollection, args.name, 'write', null)],
      effects: [recordEffect('write', `the tool ${args.name}`)],
    }
  },
  async run(args, context) {
    const { name, description, code, permissions, required_api_keys } = args
    const reason = await problemWith(args, context)
    if (reason !== null) return failed(reason)
    const read = readParameters(args.parameters)
    if (read.kind === 'refused') return failed(read.reason)
    if (!context.cause) return failed('Nobody asked for this tool.')
    const tool: CustomTool = {
      name,
      description,
      parameters: read.schema,
      code,
      permissions: [...new Set(permissions)],
      requiredApiKeys: required_api_keys,
      enabled: true,
      origin: { label: context.cause.label, creator: context.cause.requester },
      version: 1,
    }
    await context.records.insert(customToolsCollection, name, customToolData(tool), keptLabel(context))
    const keys = required_api_keys.map((key) => key.name)
    const kept = (await context.secretNames?.()) ?? []
    const lacks = missingKeyText(missingKeys(keys, kept))
    const needs = keys.length > 0 ? ` It needs the secrets ${keys.join(', ')}. ${lacks}`.trimEnd() : ''
    return succeeded(
      `Made the tool ${name}. Call it by its name.${needs} An error in its code shows when it is first used.`,
      `Made the tool ${name}`,
      { tool: 'delete_custom_tool', args: { name } },
    )
  },
})

interface NewTool {
  readonly name: string
  readonly parameters: string | JsonObject
  readonly code: string
}

/** In the place of a tool's name where keys of model providers are kept: a tool of that name could use them all. */
const reserved = ['model_call']

async function problemWith(
  { name, parameters, code }: NewTool,
  context: RecordToolContext,
): Promise<string | null> {
  if (reserved.includes(name)) return `The name ${name} is reserved. Take another name.`
  const taken = await takenBy(name, context)
  if (taken !== undefined)
    return taken === name
      ? `There is a tool ${name} already. Take another name, or delete it first.`
      : `${name} could be mistaken for ${taken}. Take another name.`
  const problem = codeProblem(code)
  if (problem !== null) return problem
  const read = readParameters(parameters)
  return read.kind === 'refused' ? read.reason : null
}

async function takenBy(name: string, context: RecordToolContext): Promise<string | undefined> {
  if (await context.records.get(customToolsCollection, name)) return name
  // A switch names a tool or a group, so no tool is called like a group.
  if (context.catalogue.find(name) || accessOf(name) !== undefined || name in groups) return name
  const bare = (text: string) => text.replaceAll('_', '')
  const names = [...reserved, ...context.catalogue.list().map((tool) => tool.name)]
  return names.find((known) => bare(known) === bare(name))
}
