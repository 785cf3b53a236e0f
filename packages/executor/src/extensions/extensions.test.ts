import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type InstalledSkill,
  type ListedTool,
  noExtensions,
  nothingGiven,
  operatorLabel,
  type Resource,
  type RunId,
  type ServerLaunch,
} from '@countersign/contract'
import { readTree } from '@countersign/contract/node'
import { extensionResource, launchHash, toolDefinitionHash } from '@countersign/tools'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { extensionCapabilities } from '../capabilities/extensions.ts'
import { type Extensions, openExtensions } from './extensions.ts'

let root: string
let extensions: Extensions

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'extensions-'))
  extensions = await openExtensions(join(root, 'kept'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const author = { agent: 'assistant', run: `run_${'0'.repeat(32)}` as RunId, provenance: operatorLabel }
const now = () => new Date('2026-11-19T00:00:00Z')

async function skill(name: string, text: string): Promise<Omit<InstalledSkill, 'addedAt' | 'files'>> {
  const folder = join(root, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'SKILL.md'), text)
  const found = await readTree(folder)
  if (found.kind !== 'tree') throw new Error(found.reason)
  const common = { source: folder, reviewed: false, enabled: true, allowedTools: null }
  return { name, description: 'x', tree: found.sha256, ...common }
}

function permitted(...resources: Resource[]) {
  return extensionCapabilities({ ...author, resources }, { extensions, now, closed: [join(root, 'own')] })
}

function naming(name: string, op: 'add' | 'change' | 'remove' | 'use'): Resource {
  return extensionResource(extensions.current(), { kind: 'skill', name, op })
}

const from = (name: string) => ({ kind: 'folder', path: join(root, name) }) as const

it('keeps what a permit names, tells of it, and is there after a restart', async () => {
  const told: number[] = []
  extensions.onChange(({ skills }) => told.push(skills.length))
  const one = await skill('one', 'words')
  expect(await permitted(naming('one', 'add')).putSkill(one, from('one'))).toMatchObject({ kind: 'kept' })
  expect(told).toEqual([1])
  const again = await openExtensions(join(root, 'kept'))
  expect(again.current()).toEqual(extensions.current())
  expect(await again.trees.read(one.tree, 'SKILL.md')).toEqual(Buffer.from('words'))
})

it('refuses an entry that the permit does not name, or names as it was before', async () => {
  const one = await skill('one', 'words')
  const add = naming('one', 'add')
  expect(await permitted(naming('two', 'add')).putSkill(one, from('one'))).toMatchObject({ kind: 'failed' })
  expect(await permitted(naming('one', 'use')).putSkill(one, from('one'))).toMatchObject({ kind: 'failed' })
  await permitted(add).putSkill(one, from('one'))
  expect(await permitted(add).putSkill(one, from('one'))).toMatchObject({ kind: 'failed' })
  expect(await permitted(add).remove('skill', 'one')).toMatchObject({ kind: 'failed' })
  expect(extensions.current().skills).toHaveLength(1)
})

it('gives a name to one extension, also where another kind came after the permit', async () => {
  const launch: ServerLaunch = { kind: 'http', url: 'https://one.test/mcp', secret: null }
  const state = { tools: [], offered: [], gone: [], listedAt: null, paused: false }
  const server = { name: 'one', launch, launchHash: launchHash(launch), ...state }
  const resource = (kind: 'server' | 'plugin') =>
    extensionResource(extensions.current(), { kind, name: 'one', op: 'add' })
  const plugin = permitted(resource('plugin'))
  const add = naming('one', 'add')
  await permitted(resource('server')).putServer({ ...server, pinned: true }, null)
  const before = extensions.current()
  const tree = '0'.repeat(64)
  const head = { api: 1, name: 'one', version: '1.0.0', description: 'x', author: 'x', main: 'x.js' } as const
  const wishes = { secrets: {}, data: false, sections: [] }
  const given = { files: [], source: 'x', folders: [], hosts: [], secrets: {}, data: false }
  const other: ServerLaunch = { kind: 'plugin', manifest: { ...head, ...wishes }, tree, ...given }
  const wish = { ...server, launch: other, launchHash: launchHash(other) }
  const taken = { kind: 'failed', reason: 'There is a server one. Names are for one extension only.' }
  expect(await plugin.putServer(wish, { kind: 'files', files: [] })).toEqual(taken)
  const one = await skill('one', 'words')
  expect(await permitted(add).putSkill(one, from('one'))).toEqual(taken)
  expect(extensions.current()).toEqual(before)
})

it('refuses files that are not those of the hash, and keeps nothing of them', async () => {
  const one = await skill('one', 'words')
  writeFileSync(join(root, 'one', 'SKILL.md'), 'other words')
  expect(await permitted(naming('one', 'add')).putSkill(one, from('one'))).toMatchObject({ kind: 'failed' })
  expect(extensions.current()).toEqual(noExtensions)
})

it('lets nothing in from the folders of the product', async () => {
  const own = await skill('own', 'a key')
  const outcome = await permitted(naming('own', 'add')).putSkill(own, from('own'))
  expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringContaining('closed') })
})

it('leaves nothing behind when it is removed', async () => {
  const one = await skill('one', 'words')
  await permitted(naming('one', 'add')).putSkill(one, from('one'))
  expect(existsSync(join(root, 'kept', 'trees', one.tree))).toBe(true)
  expect(await permitted(naming('one', 'remove')).remove('skill', 'one')).toEqual({ kind: 'removed' })
  expect(existsSync(join(root, 'kept', 'trees', one.tree))).toBe(false)
  expect(extensions.current()).toEqual(noExtensions)
})

it('clears away a tree that a copy left and nothing names', async () => {
  const left = join(root, 'kept', 'trees', 'part-abc')
  mkdirSync(left, { recursive: true })
  await openExtensions(join(root, 'kept'))
  expect(existsSync(left)).toBe(false)
})

it.each([
  ['a launch', 'node', 'evil'],
  ['a definition', 'Does it.', 'Does more.'],
])('refuses to start on an index in which %s is not what its hash says', async (_, from, to) => {
  const launch: ServerLaunch = {
    kind: 'stdio',
    argv: ['node', '/extension/x.js'],
    tree: null,
    package: null,
    ...nothingGiven,
  }
  const listed: ListedTool = {
    name: 'it',
    title: null,
    description: 'Does it.',
    input: {},
    output: null,
    annotations: {},
  }
  const accepted = { listed, definition: toolDefinitionHash(listed), tier: 0 as const, cases: [], undo: null }
  const state = { offered: [], gone: [], listedAt: null, paused: false, addedAt: '' }
  await extensions.change((before) => ({
    ...before,
    servers: [{ name: 'one', launch, launchHash: launchHash(launch), tools: [accepted], ...state }],
  }))
  const path = join(root, 'kept', 'index.json')
  const text = readFileSync(path, 'utf8')
  await expect(openExtensions(join(root, 'kept'))).resolves.toBeDefined()
  writeFileSync(path, text.replace(from, to))
  await expect(openExtensions(join(root, 'kept'))).rejects.toMatchObject({ code: 'config_invalid' })
})

it('refuses to start on a damaged index, and says what to do', async () => {
  mkdirSync(join(root, 'kept'))
  writeFileSync(join(root, 'kept', 'index.json'), '{"v":1,"servers":')
  await expect(openExtensions(join(root, 'kept'))).rejects.toMatchObject({
    code: 'config_invalid',
    next: expect.stringContaining('Restore it from a backup'),
  })
})
