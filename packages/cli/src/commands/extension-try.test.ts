import { type AcceptedTool, type ListedTool, serverPreset } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { triedTools } from './extension-try.ts'

const listed = (name: string, annotations = {}): ListedTool => ({
  name,
  title: null,
  description: '',
  input: { type: 'object' },
  output: null,
  annotations,
})
const accepted = (name: string, tier: AcceptedTool['tier']): AcceptedTool => ({
  listed: listed(name),
  definition: 'a'.repeat(64),
  tier,
  cases: [],
  undo: null,
})
const server = { name: 'far', tools: [accepted('read', 0)], offered: [listed('send')] }

describe('the tiers that are tried', () => {
  it('are those that were accepted, and those that are suggested for what is offered', () => {
    expect(triedTools(server, {}, undefined)).toEqual([
      { tool: 'send', tier: 3, cases: [] },
      { tool: 'read', tier: 0, cases: [] },
    ])
  })

  it('are those of a preset where one is named', () => {
    const home = { name: 'home', tools: [accepted('HassTurnOn', 1)], offered: [] }
    const [tool] = triedTools(home, {}, serverPreset('home-assistant'))
    expect(tool).toMatchObject({ tool: 'HassTurnOn', tier: 4 })
  })

  it('are those that are named, and none for a tool that is not there', () => {
    expect(triedTools(server, { tool: 'read=2\0send' }, undefined)).toEqual([
      { tool: 'read', tier: 2, cases: [] },
      { tool: 'send', tier: 3, cases: [] },
    ])
    expect(triedTools(server, { tool: 'write=2' }, undefined)).toContain('offers no tool write')
  })
})
