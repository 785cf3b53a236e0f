import { listedAs, type PluginTool, type Tier } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { hostsOf, tiersOf } from './extension-plugin.ts'

const tool: PluginTool = {
  name: 'note',
  description: 'Notes.',
  input: { type: 'object' },
  tier: 1,
  example: {},
}
const host = { host: 'a.test', port: 443 }
const [reads, writes] = [false, true].map((write) => ({ path: 'notes', write }))
const given = (change: object = {}) => ({
  hosts: [host],
  folders: [reads as never],
  secrets: {},
  data: false,
  ...change,
})
const before = (tier: Tier, was = tool) => ({
  launch: given(),
  plugin: {
    tools: [{ listed: listedAs(was), definition: 'a'.repeat(64), tier, cases: [], undo: null }],
  },
})
const tiers = (manifest: PluginTool, is: ReturnType<typeof given>, was?: ReturnType<typeof before>) =>
  tiersOf({ tools: [manifest] }, is, {}, was)

describe('what a tool of a plugin counts for', () => {
  it('is no less than what it reaches demands, whatever its author says', () => {
    expect(tiers(tool, given({ hosts: [], folders: [] }))).toEqual({ note: 1 })
    expect(tiers(tool, given())).toEqual({ note: 2 })
    expect(tiers(tool, given({ folders: [writes] }))).toEqual({ note: 3 })
  })

  it('stays as it was decided where nothing is wider', () => {
    expect(tiers(tool, given(), before(0))).toEqual({ note: 0 })
    expect(tiers(tool, given({ folders: [] }), before(0))).toEqual({ note: 0 })
  })

  it('is decided anew where it reaches another host, or may write what it only read', () => {
    expect(tiers(tool, given({ hosts: [host, { host: 'b.test', port: 443 }] }), before(0))).toEqual({
      note: 2,
    })
    expect(tiers(tool, given({ folders: [writes] }), before(0))).toEqual({ note: 3 })
    expect(tiers(tool, given({ folders: [reads, { path: 'more', write: true }] }), before(4))).toEqual({
      note: 4,
    })
  })

  it('is decided anew where it knows another secret, or reads another folder', () => {
    expect(tiers(tool, given({ secrets: { KEY: 'house' } }), before(0))).toEqual({ note: 2 })
    expect(tiers(tool, given({ folders: [reads, { path: 'more', write: false }] }), before(0))).toEqual({
      note: 2,
    })
    expect(tiers(tool, given({ data: true }), before(0))).toEqual({ note: 0 })
  })

  it('is decided anew where the tool is described in other words', () => {
    const other: PluginTool = { ...tool, description: 'Sends.', tier: 3 }
    expect(tiers(other, given(), before(0))).toEqual({ note: 3 })
    expect(tiers({ ...other, tier: 0 }, given(), before(0))).toEqual({ note: 2 })
  })
})

describe('the hosts that a plugin is given', () => {
  const manifest = { hosts: ['a.test', 'b.test:8443'] }
  const other = { host: 'b.test', port: 8443 }

  it('are those that it asks for, or fewer where that is said', () => {
    expect(hostsOf(manifest, {}, undefined)).toEqual([host, other])
    expect(hostsOf(manifest, { host: 'b.test' }, undefined)).toEqual([other])
    expect(hostsOf(manifest, { host: 'none' }, undefined)).toEqual([])
    expect(hostsOf(manifest, { host: 'c.test' }, undefined)).toEqual([])
  })

  it('are no more after an update than before it, unless that is said', () => {
    expect(hostsOf(manifest, {}, { launch: { hosts: [host] } })).toEqual([host])
    expect(hostsOf({ hosts: ['b.test:8443'] }, {}, { launch: { hosts: [host] } })).toEqual([])
    expect(hostsOf(manifest, { host: 'a.test\0b.test' }, { launch: { hosts: [] } })).toEqual([host, other])
  })
})
