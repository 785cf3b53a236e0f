import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sha256Hex } from '@countersign/contract/node'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { catalogueFor, createCatalogue, createRegistry } from './catalogue.ts'
import { type ToolDefinition, toFacts } from './definition.ts'
import { readFile } from './files/read-file.ts'
import { builtinTools } from './index.ts'

const catalogue = createCatalogue(builtinTools)

describe('the catalogue', () => {
  it('finds every tool and lists those that models may see', () => {
    const listed = catalogue.list().map(({ name }) => name)
    const hidden = builtinTools.filter((tool) => tool.hidden).map(({ name }) => name)
    expect(listed.length + hidden.length).toBe(builtinTools.length)
    for (const name of hidden) {
      expect(listed).not.toContain(name)
      expect(catalogue.find(name)?.name).toBe(name)
    }
    expect(catalogue.find('nothing')).toBeUndefined()
  })

  it('shows a model these from the start, and the others on request', () => {
    const listed = catalogue.list().filter((facts) => facts.listed)
    expect(listed.map(({ name }) => name)).toEqual([
      'search_tools',
      'get_tool_help',
      'use_tool',
      'batch_use_tool',
      'ask_operator',
      'read_file',
      'write_file',
      'list_directory',
      'execute_shell',
      'http_request',
      'read_web',
      'about_operator',
      'recall',
    ])
  })

  it('refuses two tools of one name and names that could be mistaken', () => {
    expect(() => createCatalogue([readFile, readFile])).toThrow('read_file')
    for (const name of [
      '',
      'Read',
      'read-file',
      '_read',
      'read__file',
      'rеad',
      'read_file ',
      'a'.repeat(65),
    ]) {
      expect(() => createCatalogue([{ ...readFile, name }])).toThrow('Bad tool name')
    }
  })

  it('refuses a tool that takes more than it says', () => {
    const loose = { ...readFile, input: z.looseObject({}) } as unknown as ToolDefinition
    expect(() => createCatalogue([loose])).toThrow('strict object')
  })

  it('gives another definition when anything about a tool changes', () => {
    const definitionOf = (change: Partial<ToolDefinition>) =>
      createCatalogue([{ ...readFile, ...change } as ToolDefinition]).find('read_file')?.definition
    const changes: Partial<ToolDefinition>[] = [
      { version: 'other' },
      { description: 'Other.' },
      { floor: 1 },
      { effect: 'once' },
      { category: 'other' },
      { input: z.strictObject({}) as unknown as ToolDefinition['input'] },
    ]
    const all = [definitionOf({}), ...changes.map(definitionOf)]
    expect(new Set(all).size).toBe(all.length)
    expect(definitionOf({ tags: ['other'] })).toBe(definitionOf({}))
  })

  it('knows the source of each version: a change of code needs a new version', async () => {
    const pinned = builtinTools.map(({ name, version, category }) => {
      const file = fileURLToPath(new URL(`./${category}/${name.replaceAll('_', '-')}.ts`, import.meta.url))
      // Tags are for search only: other words make no other tool.
      const code = readFileSync(file, 'utf8').replace(/^ {2}tags: \[[^\]]*\],$/m, '')
      const source = sha256Hex(code.replace(/\s+/g, ''))
      return `${name} ${version} ${source.slice(0, 16)}`
    })
    await expect(`${pinned.join('\n')}\n`).toMatchFileSnapshot('./golden/versions.txt')
  })
})

describe('the registry', () => {
  const named = (name: string) => ({ ...readFile, name })

  it('takes the tools of a provider all or none, and removes them by their source', () => {
    const registry = createRegistry()
    registry.add({ source: 'built-in', tools: () => [readFile] })
    registry.add({ source: 'a server', tools: () => [named('one'), named('two')] })
    expect(() => registry.add({ source: 'another', tools: () => [named('three'), named('two')] })).toThrow(
      'Two tools are named two.',
    )
    expect(registry.find('three')).toBeUndefined()
    expect(registry.removeSource('a server')).toBe(2)
    expect(registry.list().map(({ facts }) => facts.name)).toEqual(['read_file'])
    expect(registry.removeSource('a server')).toBe(0)
  })

  it('gives an operator what is switched on: by name before group, by group before the start', () => {
    const registry = createRegistry()
    registry.add({ source: 'built-in', tools: () => builtinTools })
    const names = (tools: [string, boolean][], groups: [string, boolean][]) => {
      const catalogue = catalogueFor(registry, {
        tools: new Map(tools),
        groups: new Map(groups),
        programs: [],
      })
      return (name: string) => catalogue.find(name) !== undefined
    }
    const atFirst = names([], [])
    expect(atFirst('read_file')).toBe(true)
    expect(atFirst('git_status')).toBe(false)
    expect(names([], [['git', true]])('git_status')).toBe(true)
    expect(names([['git_status', false]], [['git', true]])('git_status')).toBe(false)
    expect(names([['git_status', true]], [['git', false]])('git_log')).toBe(false)
  })

  it('lets no tool of an operator stand in for a built-in one, and says why a name leads nowhere', () => {
    const registry = createRegistry()
    registry.add({ source: 'built-in', tools: () => builtinTools })
    const own = { ...toFacts(named('git_status')), description: 'mine' }
    const catalogue = catalogueFor(
      registry,
      { tools: new Map(), groups: new Map([['git', true]]), programs: [] },
      [own],
    )
    expect(catalogue.find('git_status')?.description).not.toBe('mine')
    expect(catalogue.missing('execute_shell')).toContain('countersign tool enable execute_shell')
    expect(catalogue.missing('restore_file')).toContain('There is no tool named restore_file.')
    expect(catalogue.missing('remove_task')).toContain('Near it:')
  })
})
