import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@countersign/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCatalogue } from '../catalogue.ts'
import { type EffectsResult, type NodeTool, parseArgs } from '../definition.ts'
import { builtinTools } from '../index.ts'
import { createBareWorkspace } from '../testing/bare-workspace.ts'
import { exampleFor } from '../testing/examples.ts'
import { type TestNode, testNodeInspector } from '../testing/test-node.ts'
import { forLook } from './for-look.ts'
import { deviceTools } from './index.ts'
import { withNodes } from './offered.ts'

const workspace = createBareWorkspace()
const catalogue = createCatalogue(builtinTools)
const nodeTools = deviceTools.filter((tool): tool is NodeTool => tool.runs === 'node')

beforeAll(() => writeFileSync(join(workspace.root, 'report.txt'), 'The year in figures'))
afterAll(() => workspace.remove())

function found(name: string, args: JsonObject, node: TestNode = {}): Promise<EffectsResult> {
  const tool = nodeTools.find((each) => each.name === name)
  if (!tool) throw new Error(`There is no ${name}.`)
  const parsed = parseArgs(tool, args)
  if (parsed.kind === 'invalid') throw new Error(parsed.problems.join('; '))
  return tool.effects(parsed.args, testNodeInspector(workspace.inspect, node))
}

describe('the tools of nodes', () => {
  it('are of a node, private, and believed by nobody', () => {
    expect(nodeTools).toHaveLength(deviceTools.length)
    for (const { name, category, output } of deviceTools) {
      expect(category, name).toBe('devices')
      expect(output, name).toMatchObject({ integrity: 'untrusted', confidentiality: 'private' })
    }
  })

  it('need a device of the operator, all but looks at files and a notification', () => {
    const low = deviceTools.filter(({ floor }) => floor < 3).map(({ name }) => name)
    expect(low.toSorted()).toEqual(['device_list_files', 'device_notify', 'device_read_file'])
  })

  it.each(nodeTools.filter(({ hidden }) => !hidden).map(({ name }) => [name]))(
    '%s names the node by its own word, and asks its owner',
    async (name) => {
      const args = exampleFor(name)
      if (name === 'device_list_files') args['path'] = '.'
      const seen = await found(name, args)
      expect(seen).toMatchObject({ kind: 'found', resources: [{ type: 'node', name: 'laptop' }] })
      if (seen.kind === 'found') expect(seen.effects[0]?.object).toContain('on laptop')
      expect(await found(name, args, { name: 'studio' })).toMatchObject({ kind: 'invalid' })
      const refuses = () => ({ reason: 'Its owner keeps that out.', fix: 'Ask the owner.' })
      expect(await found(name, args, { refuses })).toMatchObject({ kind: 'unavailable' })
      const { capability } = nodeTools.find((each) => each.name === name) as NodeTool
      expect(await found(name, args, { missing: [capability] })).toMatchObject({ kind: 'unavailable' })
    },
  )

  it('touch the same whether the node was told before what would be written there, or not', async () => {
    for (const { name, hidden } of nodeTools) {
      if (hidden) continue
      const args = exampleFor(name)
      if (name === 'device_list_files') args['path'] = '.'
      const less = forLook(name, args)
      const words = JSON.stringify(less)
      for (const unsaid of ['content', 'stdin', 'text', 'title'])
        if (typeof args[unsaid] === 'string' && args[unsaid].length > 1)
          expect(words, `${name} ${unsaid}`).not.toContain(args[unsaid])
      expect(await found(name, less), name).toEqual(await found(name, args))
    }
  })

  it('asks the owner about the file that is really there', async () => {
    const asked: string[] = []
    const refuses = (object: string) => {
      asked.push(object)
      return undefined
    }
    await found('device_read_file', { node: 'laptop', path: './report.txt' }, { refuses })
    expect(asked).toEqual(['report.txt'])
  })

  it('refuses a path outside the shared folder', async () => {
    for (const path of ['../other.txt', '/etc/passwd', '~/x'])
      expect((await found('device_read_file', { node: 'laptop', path })).kind).toBe('invalid')
  })
})

describe('device_run_program', () => {
  const run = (argv: string[], more: JsonObject = {}) =>
    found('device_run_program', { node: 'laptop', argv, ...more })

  it('binds the program and its words', async () => {
    expect(await run(['/usr/bin/sort', 'my report.txt'])).toMatchObject({
      kind: 'found',
      resources: [{ capability: 'shell', op: 'run', object: "/usr/bin/sort 'my report.txt'" }],
      effects: [{ verb: 'execute', reversible: false }],
    })
  })

  it.each([[['/bin/sh', '-c', 'ls']], [['/usr/bin/env', 'ls']]])(
    'refuses %j until it is called uninspectable, which the card then says',
    async (argv) => {
      expect(await run(argv)).toMatchObject({ kind: 'invalid' })
      expect(await run(argv, { uninspectable: true })).toMatchObject({
        effects: [{ object: expect.stringContaining('cannot be listed beforehand') }],
      })
    },
  )

  it('refuses a program that is not there and a folder that is not there', async () => {
    expect((await run(['/usr/bin/no-such-program'])).kind).toBe('unavailable')
    expect((await run(['/usr/bin/sort'], { cwd: 'nowhere' })).kind).toBe('invalid')
  })
})

describe('device_open_address', () => {
  const input = nodeTools.find(({ name }) => name === 'device_open_address')?.input

  it.each([
    ['https://example.org/', true],
    ['http://example.org/a?b=c', true],
    ['https://example.org', false],
    ['https://me:pass@example.org/', false],
    ['javascript:alert(1)', false],
    ['file:///etc/passwd', false],
    ['-a', false],
  ])('%s: %s', (url, isTaken) => {
    expect(input?.safeParse({ node: 'laptop', url }).success).toBe(isTaken)
  })
})

describe('whether tools of nodes are offered', () => {
  it('is not while there is no node, and a model that names one is told why', () => {
    const none = withNodes(catalogue, [])
    expect(none.list().some(({ runs }) => runs === 'node')).toBe(false)
    expect(none.find('device_read_file')).toBeUndefined()
    expect(none.missing('device_read_file')).toContain('countersign node pair')
    expect(none.find('read_file')).toBe(catalogue.find('read_file'))
    expect(none.missing('reed_file')).toBe(catalogue.missing('reed_file'))
  })

  it('is with one, which is named for a call', () => {
    const one = withNodes(catalogue, [{ name: 'laptop' }])
    expect(one.list()).toHaveLength(catalogue.list().length)
    const parse = one.find('device_read_clipboard')?.parse
    expect(parse?.({})).toEqual({ kind: 'args', args: { node: 'laptop' } })
    expect(parse?.({ node: 'studio' })).toMatchObject({ kind: 'invalid' })
  })

  it('is with several, of which a call names one', () => {
    const two = withNodes(catalogue, [{ name: 'laptop' }, { name: 'studio' }])
    const parse = two.find('device_read_clipboard')?.parse
    expect(parse?.({})).toEqual({ kind: 'invalid', problems: ['node: say which one: laptop, studio'] })
    expect(parse?.({ node: 'studio' })).toMatchObject({ kind: 'args' })
    expect(parse?.([])).toMatchObject({ kind: 'invalid' })
  })
})
