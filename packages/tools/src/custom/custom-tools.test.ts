import { type JsonObject, type Label, operatorLabel } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { createCatalogue } from '../catalogue.ts'
import { type ToolDefinition, toFacts } from '../definition.ts'
import { readFile } from '../files/read-file.ts'
import { recordsTools } from '../records/index.ts'
import { createRecordToolRunner, type RecordToolRunner } from '../testing/record-tool-runner.ts'
import { dumpOf } from '../testing/records.ts'
import { createTool } from './create-tool.ts'
import { deleteCustomTool } from './delete-custom-tool.ts'
import { customTools } from './index.ts'
import { listCustomTools } from './list-custom-tools.ts'
import { toggleCustomTool } from './toggle-custom-tool.ts'

const weather = {
  name: 'check_weather',
  description: 'The weather of a city now.',
  parameters: '{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}',
  code: 'const resp = await fetch(`https://weather.test/?key=${utils.getApiKey("weather")}`)\nreturn await resp.json()',
  permissions: ['network'],
  required_api_keys: [{ name: 'weather', displayName: 'Weather', docsUrl: 'https://weather.test' }],
}
const plain = { ...weather, permissions: [], required_api_keys: [] }
const untrusted: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] }
const byName = new Map([...customTools, ...recordsTools].map((tool) => [tool.name, tool]))

async function undo(context: RecordToolRunner, result: { undo: { tool: string; args: string } | null }) {
  const tool = byName.get(result.undo?.tool ?? '') as ToolDefinition
  return context.use(tool, JSON.parse(result.undo?.args ?? '') as JsonObject)
}

describe('create_tool', () => {
  it('keeps the tool with who asked for it and what it was made from', async () => {
    const context = createRecordToolRunner({ requester: { kind: 'peer', id: 'ann' } })
    context.label = untrusted
    const { found, result } = await context.use(createTool, weather)
    expect(found.resources).toEqual([
      { type: 'record', collection: 'custom_tools', id: 'check_weather', op: 'write', version: null },
    ])
    expect(result.text).toContain('It needs the secrets weather. The secret weather is missing.')
    expect(result.text).toContain('`countersign secret set weather --host <host>`')
    const kept = await context.records.get('custom_tools', 'check_weather')
    expect(kept?.label).toEqual(untrusted)
    expect(kept?.data).toMatchObject({
      enabled: true,
      version: 1,
      permissions: ['network'],
      parameters: { additionalProperties: false, required: ['city'] },
      origin: { label: untrusted, creator: { kind: 'peer', id: 'ann' } },
    })
  })

  it('shows the whole code, asks at tier 3, and takes itself back', async () => {
    expect(createTool.floor).toBe(3)
    expect(createTool.preview(weather)).toEqual({
      kind: 'code',
      title: `check_weather: ${weather.description}`,
      language: 'javascript',
      code: expect.stringContaining(weather.code),
    })
    const context = createRecordToolRunner()
    const before = await dumpOf(context.records)
    await undo(context, (await context.use(createTool, weather)).result)
    expect(await dumpOf(context.records)).toEqual(before)
  })

  it('refuses a name that is taken or near to one, also of a tool that is switched off', async () => {
    const context = createRecordToolRunner({ catalogue: createCatalogue([readFile]) })
    await context.use(createTool, weather)
    const refusals = [
      'check_weather',
      'read_file',
      'execute_shell',
      'restore_anything',
      'readfile',
      'read__file',
      'model_call',
      'modelcall',
    ]
    for (const name of refusals) {
      const found = await context.resolve(createTool, { ...plain, name })
      expect(found, name).toMatchObject({ kind: 'invalid' })
    }
    for (const name of ['read_files', 'model_calls'])
      expect(await context.resolve(createTool, { ...plain, name }), name).toMatchObject({ kind: 'found' })
  })

  it('refuses code with words that mean nothing in the machine, and says which', async () => {
    const context = createRecordToolRunner()
    for (const [code, word] of [
      ['process.exit(1)', 'process.exit'],
      ['const fs = require("fs")', 'require()'],
      ['const fs = await import("fs")', 'import()'],
      ['return __dirname', '__dirname'],
      ['globalThis.x = 1', 'globalThis.'],
      ['global.x = 1', 'global.'],
    ] as const) {
      const found = await context.resolve(createTool, { ...plain, code })
      expect(found).toMatchObject({ kind: 'invalid', reason: expect.stringContaining(word) as string })
    }
    const found = await context.resolve(createTool, { ...plain, code: 'return "important global thing"' })
    expect(found.kind).toBe('found')
  })

  it('refuses code that is too long or that hides something from its reader', () => {
    const { parse } = toFacts(createTool)
    expect(parse({ ...plain, code: 'x'.repeat(65_536) }).kind).toBe('args')
    for (const code of ['', 'x'.repeat(65_537), 'é'.repeat(40_000), 'a \u202E b', 'a\u200Bb', 'a\0b'])
      expect(parse({ ...plain, code }).kind).toBe('invalid')
  })

  it('refuses permissions that do not exist and names of another form', () => {
    const { parse } = toFacts(createTool)
    expect(parse({ ...plain, permissions: ['shell', 'network'] }).kind).toBe('args')
    expect(parse({ ...plain, permissions: ['root'] }).kind).toBe('invalid')
    for (const name of ['Tool', '1tool', '_tool', 'to-ol', 'tool ', 'töol', '', 'a'.repeat(65)])
      expect(parse({ ...plain, name }).kind, name).toBe('invalid')
  })
})

describe('list_custom_tools', () => {
  it('tells what there is, and is worth no more than what the tools were made from', async () => {
    const context = createRecordToolRunner()
    expect((await context.use(listCustomTools, {})).result.text).toBe('There are no custom tools.')
    await context.use(createTool, weather)
    context.label = untrusted
    await context.use(createTool, { ...plain, name: 'other' })
    await context.use(toggleCustomTool, { name: 'other', enabled: false })
    const { result } = await context.use(listCustomTools, {})
    expect(result.text).toBe(
      'check_weather (on, may use network, needs the secrets weather): The weather of a city now.\nother (off, may use nothing): The weather of a city now.',
    )
    expect(result.label).toEqual(untrusted)
    const on = await context.use(listCustomTools, { enabled: true })
    expect(on.result.text).not.toContain('other')
    expect(on.result.label).toBeUndefined()
  })
})

describe('toggle_custom_tool', () => {
  it('switches a tool and can be undone', async () => {
    const context = createRecordToolRunner()
    await context.use(createTool, weather)
    const before = await dumpOf(context.records)
    const { result, found } = await context.use(toggleCustomTool, { name: 'check_weather', enabled: false })
    expect(found.effects).toMatchObject([{ verb: 'write', reversible: true }])
    expect((await context.records.get('custom_tools', 'check_weather'))?.data['enabled']).toBe(false)
    await undo(context, result)
    expect(await dumpOf(context.records)).toEqual(before)
  })

  it('says so when there is nothing to switch', async () => {
    const context = createRecordToolRunner()
    await context.use(createTool, weather)
    const { result } = await context.use(toggleCustomTool, { name: 'check_weather', enabled: true })
    expect(result).toMatchObject({ ok: true, undo: null })
    expect(await context.resolve(toggleCustomTool, { name: 'nothing', enabled: true })).toMatchObject({
      kind: 'invalid',
    })
  })
})

describe('delete_custom_tool', () => {
  it('is undone exactly, with the origin that the tool had', async () => {
    const context = createRecordToolRunner()
    context.label = untrusted
    await context.use(createTool, weather)
    const before = await dumpOf(context.records)
    context.label = operatorLabel
    const { found, result } = await context.use(deleteCustomTool, { name: 'check_weather' })
    expect(found.resources).toMatchObject([{ op: 'delete', version: 1 }])
    expect(await context.records.get('custom_tools', 'check_weather')).toBeUndefined()
    await undo(context, result)
    expect(await dumpOf(context.records)).toEqual(before)
  })

  it('is not undone over a tool that took the name, nor under another name', async () => {
    const context = createRecordToolRunner()
    await context.use(createTool, weather)
    const { result } = await context.use(deleteCustomTool, { name: 'check_weather' })
    await context.use(createTool, { ...weather, description: 'Another.' })
    await expect(undo(context, result)).rejects.toThrow('by now')
    const args = { ...(JSON.parse(result.undo?.args ?? '') as JsonObject), name: 'renamed' }
    await expect(context.use(byName.get('restore_custom_tool') as ToolDefinition, args)).rejects.toThrow(
      'another tool',
    )
  })

  it('refuses a tool that is not there', async () => {
    const found = await createRecordToolRunner().resolve(deleteCustomTool, { name: 'nothing' })
    expect(found).toMatchObject({
      kind: 'invalid',
      reason: expect.stringContaining('list_custom_tools') as string,
    })
  })
})
