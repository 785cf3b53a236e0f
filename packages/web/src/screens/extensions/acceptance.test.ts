import { type InstalledServer, type ListedTool, serverPreset } from '@countersign/contract'
import { expect, test } from 'vitest'
import { acceptanceArgs, askedTools } from './acceptance.ts'

const listed = (name: string, description = `Does ${name}.`): ListedTool => ({
  name,
  title: null,
  description,
  input: {},
  output: null,
  annotations: {},
})
const accepted = (tool: ListedTool, tier: 0 | 1 | 2 | 3 | 4) => ({
  listed: tool,
  definition: 'a'.repeat(64),
  tier,
  cases: [{ argument: 'domain', values: ['light'], tier: 0 as const }],
  undo: 'back',
})
const server: InstalledServer = {
  name: 'odd',
  launch: { kind: 'http', url: 'https://mcp.example.com/', secret: null },
  launchHash: 'b'.repeat(64),
  tools: [accepted(listed('same'), 1), accepted(listed('other'), 2), accepted(listed('lost'), 3)],
  offered: [listed('fresh'), listed('other', 'Does something else.')],
  gone: ['lost'],
  listedAt: '2026-11-16T10:00:00.000Z',
  paused: false,
  addedAt: '2026-11-16T09:00:00.000Z',
}

test('what changed stands first with the tier that it had, and what is new is not accepted', () => {
  expect(askedTools(server, undefined).map(({ name, kind, usual }) => [name, kind, usual])).toEqual([
    ['other', 'changed', '2'],
    ['lost', 'gone', 'none'],
    ['fresh', 'new', 'none'],
    ['same', 'accepted', '1'],
  ])
})

test('without a choice the difference is accepted as before, and what is gone is dropped', () => {
  const { tools, drop } = acceptanceArgs(server, undefined, {}) ?? { tools: [], drop: [] }
  expect(drop).toEqual(['lost'])
  expect(tools).toEqual([
    {
      tool: listed('other', 'Does something else.'),
      tier: 2,
      cases: [{ argument: 'domain', values: ['light'], tier: 0 }],
      undo: 'back',
      before: {
        tool: listed('other'),
        tier: 2,
        cases: [{ argument: 'domain', values: ['light'], tier: 0 }],
        undo: 'back',
      },
    },
  ])
})

test('another tier is for every call, and leaves no case that would count for less', () => {
  const { tools } = acceptanceArgs(server, undefined, { other: '4', same: '3', fresh: '0' }) ?? { tools: [] }
  expect(tools.map(({ tool, tier, cases }) => [tool.name, tier, cases])).toEqual([
    ['other', 4, []],
    ['fresh', 0, []],
    ['same', 3, []],
  ])
})

test('an accepted tool is accepted no more by a choice, and nothing is asked where nothing would change', () => {
  expect(acceptanceArgs(server, undefined, { same: 'none', other: 'none' })).toMatchObject({
    tools: [],
    drop: ['other', 'lost', 'same'],
  })
  expect(acceptanceArgs({ ...server, offered: [], gone: [] }, undefined, {})).toBeUndefined()
})

test('a preset suggests tiers and cases for what is new', () => {
  const home = { ...server, tools: [], gone: [], offered: [listed('HassTurnOn'), listed('HassLightSet')] }
  const preset = serverPreset('home-assistant')
  const { tools } = acceptanceArgs(home, preset, {}) ?? { tools: [] }
  expect(tools.map(({ tool, tier }) => [tool.name, tier])).toEqual([
    ['HassLightSet', 1],
    ['HassTurnOn', 4],
  ])
  expect(tools[1]?.cases.length).toBeGreaterThan(0)
})

test('a tool that is called like something that every object has is not accepted unless that is chosen', () => {
  const named: InstalledServer = {
    ...server,
    offered: [listed('constructor'), listed('__proto__')],
    gone: [],
  }
  expect(acceptanceArgs(named, undefined, {})).toBeUndefined()
  expect(acceptanceArgs(named, undefined, { constructor: '2' as const })).toMatchObject({
    tools: [{ tool: { name: 'constructor' }, tier: 2 }],
    drop: [],
  })
})
