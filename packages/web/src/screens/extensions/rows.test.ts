import {
  type InstalledExtensions,
  type InstalledServer,
  PluginHead,
  type PluginLaunch,
} from '@countersign/contract'
import { expect, test } from 'vitest'
import { addCommand, packageShape } from './add-command.ts'
import { extensionRows } from './rows.ts'

const tool = { name: 'work', title: null, description: '', input: {}, output: null, annotations: {} }
const server: InstalledServer = {
  name: 'zeta',
  launch: {
    kind: 'stdio',
    argv: ['node', '/extension/x.js'],
    tree: null,
    package: null,
    environment: {},
    folders: [{ path: 'notes', write: true }],
    hosts: [{ host: 'api.example.com', port: 443 }],
    secrets: { TOKEN: 'key' },
    data: true,
  },
  launchHash: 'b'.repeat(64),
  tools: [{ listed: tool, definition: 'a'.repeat(64), tier: 2, cases: [], undo: null }],
  offered: [],
  gone: [],
  listedAt: '2026-11-16T10:00:00.000Z',
  paused: false,
  addedAt: '2026-11-16T09:00:00.000Z',
}
const skill: InstalledExtensions['skills'][number] = {
  name: 'letters',
  description: '',
  tree: 'c'.repeat(64),
  files: [{ path: 'run.sh', size: 1, sha256: 'd'.repeat(64), executable: true }],
  source: '/home/me/letters',
  reviewed: false,
  enabled: true,
  allowedTools: null,
  addedAt: '2026-11-16T09:00:00.000Z',
}
const rowsOf = (...servers: InstalledServer[]) =>
  extensionRows({ servers, skills: [skill], proposals: [] }, undefined)
const stateOf = (change: Partial<InstalledServer>) => rowsOf({ ...server, ...change })[1]?.state

test('says what each may reach, in the order of their names', () => {
  expect(rowsOf(server).map(({ name, reach }) => [name, reach])).toMatchObject([
    ['letters', { scripts: ['run.sh'], hosts: [] }],
    [
      'zeta',
      {
        hosts: ['api.example.com'],
        folders: [{ path: 'notes', write: true }],
        secrets: [{ name: 'key', as: 'TOKEN' }],
        ownFiles: true,
      },
    ],
  ])
})

test('tells a plugin from a server, and stops all of it when it lists something else', () => {
  const manifest = PluginHead.parse({
    api: 1,
    name: 'zeta',
    version: '1.0.0',
    description: 'Works.',
    author: 'Ana',
    main: 'plugin.ts',
  })
  const given = { folders: [], hosts: [], secrets: {}, data: true }
  const launch: PluginLaunch = {
    kind: 'plugin',
    manifest,
    tree: 'c'.repeat(64),
    files: [],
    source: 'zeta',
    ...given,
  }
  expect(rowsOf({ ...server, launch })[1]).toMatchObject({ kind: 'plugin', state: 'on', waiting: 0 })
  expect(rowsOf({ ...server, launch, offered: [tool] })[1]).toMatchObject({
    state: 'untrue',
    waiting: 1,
    more: 0,
  })
})

test('says how a server stands: paused before changed, changed before on', () => {
  expect(stateOf({})).toBe('on')
  expect(stateOf({ offered: [{ ...tool, description: 'Other.' }] })).toBe('changed')
  expect(stateOf({ gone: ['work'] })).toBe('changed')
  expect(stateOf({ offered: [{ ...tool, name: 'new' }] })).toBe('on')
  expect(stateOf({ gone: ['work'], paused: true })).toBe('paused')
  expect(stateOf({ tools: [], listedAt: null })).toBe('unasked')
  expect(stateOf({ tools: [] })).toBe('noTools')
  expect(rowsOf()[0]?.state).toBe('unreviewed')
})

test('tells what was used, and since when a tool was not', () => {
  const parts = [{ part: 'use_skill', calls: 2, failures: 1, lastAt: '2026-11-17T10:00:00.000Z' }]
  const use = { since: '2026-08-01T00:00:00.000Z', unknown: 0, extensions: [{ name: 'letters', parts }] }
  const rows = extensionRows({ servers: [server], skills: [skill], proposals: [] }, use)
  expect(rows[0]?.use).toMatchObject([{ calls: 2, failures: 1, lastAt: '2026-11-17T10:00:00.000Z' }])
  expect(rows[1]?.use).toMatchObject([{ part: 'work', calls: 0, unusedSince: server.addedAt }])
})

test('makes the command for what a browser cannot let in, with its words quoted', () => {
  const values = {
    what: 'skill' as const,
    name: 'letters',
    address: '',
    secret: '',
    package: '',
    path: "it's",
  }
  expect(addCommand(values, (word) => `<${word}>`)).toBe("countersign extension add <letters> --skill <it's>")
  expect(addCommand({ ...values, what: 'package' }, String)).toContain('--package PACKAGE@VERSION')
  expect(packageShape.test('@a/b@1.2.3')).toBe(true)
  for (const open of ['a', 'a@latest', 'a@^1.0.0', 'a@1 --x']) expect(packageShape.test(open)).toBe(false)
})
