import { type InstalledExtensions, type InstalledServer, PluginHead } from '@countersign/contract'
import { expect, test } from 'vitest'
import { pluginsToldTo } from './told-plugins.ts'

const manifest = PluginHead.parse({
  api: 1,
  name: 'shopping',
  version: '1.0.0',
  description: 'Keeps a list.',
  author: 'Ana',
  main: 'plugin.ts',
  sections: [{ title: 'List', text: 'Offer to put it on the list.' }],
})
const given = { folders: [], hosts: [], secrets: {}, data: false }
const plugin: InstalledServer = {
  name: 'shopping',
  launch: { kind: 'plugin', manifest, tree: 'c'.repeat(64), files: [], source: '', ...given },
  launchHash: 'b'.repeat(64),
  tools: [],
  offered: [],
  gone: ['add'],
  listedAt: null,
  paused: false,
  addedAt: '2026-11-16T09:00:00.000Z',
}
const told = (change: Partial<InstalledServer>, kind: 'user' | 'guest' = 'user') => {
  const installed: InstalledExtensions = {
    servers: [{ ...plugin, gone: [], ...change }],
    skills: [],
    proposals: [],
  }
  return pluginsToldTo(kind, () => installed).plugins?.map(({ words }) => words.text)
}

test('tells the words of a plugin that were reviewed, and no others', () => {
  expect(told({ reviewed: true })).toEqual(['Offer to put it on the list.'])
  expect(told({})).toBeUndefined()
  expect(told({ reviewed: true, paused: true })).toBeUndefined()
  expect(told({ reviewed: true, gone: ['add'] })).toBeUndefined()
  expect(told({ reviewed: true }, 'guest')).toBeUndefined()
})
