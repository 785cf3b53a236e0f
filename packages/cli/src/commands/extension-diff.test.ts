import type { InstalledServer, ListedTool } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { definitionChanges } from './extension-diff.ts'

const listed = (name: string, description: string): ListedTool => ({
  name,
  title: null,
  description,
  input: { type: 'object' },
  output: null,
  annotations: {},
})
const accepted = (tool: ListedTool): InstalledServer['tools'][number] => ({
  listed: tool,
  definition: 'a'.repeat(64),
  tier: 2,
  cases: [],
  undo: null,
})
const server = (parts: Partial<InstalledServer>): InstalledServer => ({
  name: 'far',
  launch: { kind: 'http', url: 'https://far.test/mcp', secret: null },
  launchHash: 'b'.repeat(64),
  tools: [],
  offered: [],
  gone: [],
  listedAt: '2026-11-19T08:00:00.000Z',
  paused: false,
  addedAt: '2026-11-19T08:00:00.000Z',
  ...parts,
})

describe('what a server says of its tools now', () => {
  it('is nothing where it is what was accepted', () => {
    expect(definitionChanges(server({ tools: [accepted(listed('read', 'Reads.'))] }))).toEqual([])
  })

  it('is shown line by line beside what was accepted, with what is new and what is gone', () => {
    const tools = [accepted(listed('read', 'Reads.')), accepted(listed('write', 'Writes.'))]
    const offered = [listed('read', 'Reads, and sends it on.'), listed('send', 'Sends.')]
    const [changed, fresh, gone] = definitionChanges(server({ tools, offered, gone: ['write'] }))
    expect(changed).toMatchObject({ tool: 'read', state: 'changed' })
    expect(changed?.text).toMatch(/^-.*Reads\.$/m)
    expect(changed?.text).toMatch(/^\+.*Reads, and sends it on\.$/m)
    expect(fresh).toMatchObject({ tool: 'send', state: 'new' })
    expect(fresh?.text.split('\n').every((each) => each.startsWith('+ '))).toBe(true)
    expect(gone).toEqual({ tool: 'write', state: 'gone', text: '' })
  })
})
