import {
  type Effect,
  type GoalLimits,
  isProductCall,
  type Resource,
  type ToolFacts,
} from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { type LimitedCall, refusalBy } from './limits.ts'

const noon = new Date('2026-03-01T12:00:00Z')
const run = {
  id: 'run_1',
  session: 'ses_1',
  agent: 'goal',
  goal: 'goal_1',
  schedule: null,
  unattended: false,
} as unknown as LimitedCall['run']
const tool = (name: string, more: Partial<ToolFacts> = {}) =>
  ({ name, group: 'filesystem', category: 'files', runs: 'executor', hidden: false, ...more }) as ToolFacts
const call = (more: Partial<LimitedCall> = {}): LimitedCall => ({
  tool: tool('read_file'),
  run,
  tier: 0,
  effects: [],
  resources: [],
  ...more,
})
const refused = (limits: GoalLimits, more: Partial<LimitedCall> = {}, at = noon) =>
  refusalBy({ title: 'Books', limits }, call(more), at)

const file = (path: string, root: 'workspace' | 'host' = 'workspace'): Resource => ({
  type: 'file',
  root,
  path,
  op: 'read',
  identity: 'absent',
  content: null,
})
const found = (collection: string): Resource => ({
  type: 'record',
  collection,
  id: '*',
  op: 'list',
  version: null,
})
const url = (host: string): Resource => ({
  type: 'url',
  scheme: 'https',
  host,
  port: 443,
  method: 'GET',
  addressClass: 'name',
  redirects: 'refused',
  carries: 'address',
})
const program = (cwd: string, uninspectable: boolean): Resource => ({
  type: 'exec',
  path: '/usr/bin/git',
  content: '0'.repeat(64),
  argv: [],
  cwd,
  environment: '0'.repeat(64),
  uninspectable,
  view: null,
})
const effect = (verb: Effect['verb'], leaves: string[] = []): Effect => ({
  verb,
  object: 'x',
  scope: 'inside',
  reversible: true,
  outward: false,
  leaves,
})

describe('the limits of a goal', () => {
  it('let everything through that is not limited', () => {
    expect(
      refused({}, { tier: 4, resources: [file('/etc/passwd', 'host'), url('a.example')] }),
    ).toBeUndefined()
  })

  it('name tools one by one or by group', () => {
    expect(refused({ tools: ['read_file'] })).toBeUndefined()
    expect(refused({ tools: ['group:filesystem'] })).toBeUndefined()
    expect(refused({ tools: ['group:notes', 'add_task'] })).toBe(
      'The goal “Books” does not allow read_file. Allowed: group:notes, add_task.',
    )
    expect(refused({ tools: [] })).toContain('Allowed: none.')
  })

  it('take a tool for a group by its mark only', () => {
    expect(
      refused({ tools: ['group:notes'] }, { tool: tool('notes', { group: 'customTools' }) }),
    ).toBeDefined()
    expect(refused({ tools: ['notes'] }, { tool: tool('add_note', { group: 'notes' }) })).toBeDefined()
  })

  it('are on the tools of servers, by the names by which these are chosen', () => {
    const accepted: Resource = {
      type: 'server-tool',
      server: 'github',
      launch: '0'.repeat(64),
      tool: 'create_issue',
      definition: '0'.repeat(64),
      tier: 3,
      reaches: true,
    }
    const of = { tool: tool('call_server_tool', { group: 'servers', hidden: true }), resources: [accepted] }
    expect(refused({ tools: ['github__create_issue'] }, of)).toBeUndefined()
    expect(refused({ tools: ['group:servers'] }, of)).toBeUndefined()
    expect(refused({ tools: ['github__list_issues'] }, of)).toContain('does not allow github__create_issue')
    // Where a server reaches is not in the call.
    expect(refused({ hosts: ['api.example'] }, of)).toContain('a server may reach others')
    expect(refused({ folders: ['notes'] }, of)).toContain('does not allow a server')
    expect(refused({ folders: ['.'] }, of)).toBeUndefined()
    expect(isProductCall({ hidden: true, worksForAgents: true })).toBe(false)
    expect(isProductCall({ hidden: true })).toBe(true)
  })

  it('never keep work from asking the operator or from looking for tools', () => {
    expect(refused({ tools: [] }, { tool: tool('ask_operator', { runs: 'operator' }) })).toBeUndefined()
    expect(refused({ tools: [] }, { tool: tool('search_tools', { category: 'meta' }) })).toBeUndefined()
    expect(refused({ tools: [] }, { tool: tool('create_tool', { category: 'custom' }) })).toBeDefined()
  })

  it('end at a tier', () => {
    expect(refused({ tierMax: 1 }, { tier: 1 })).toBeUndefined()
    expect(refused({ tierMax: 1 }, { tier: 2 })).toContain(
      'up to “Undoable”, but this is “Crosses a boundary”',
    )
  })

  it('name hosts exactly', () => {
    const hosts = ['api.example']
    expect(refused({ hosts }, { resources: [url('api.example')] })).toBeUndefined()
    expect(refused({ hosts }, { resources: [url('API.example')] })).toBeUndefined()
    for (const other of ['x.api.example', 'api.example.org', 'example'])
      expect(refused({ hosts }, { resources: [url('api.example'), url(other)] })).toContain(`host ${other}`)
  })

  it('keep from hosts what reaches nobody knows where', () => {
    expect(refused({ hosts: [] }, { effects: [effect('send')] })).toContain(
      'the host of this call is unknown',
    )
    expect(refused({ hosts: [] }, { effects: [effect('execute', ['names'])] })).toBeDefined()
    expect(refused({ hosts: [] }, { effects: [effect('write')] })).toBeUndefined()
  })

  it('keep to folders of the workspace with what is below them', () => {
    const folders = ['reports']
    expect(refused({ folders }, { resources: [file('reports/2026/a.txt')] })).toBeUndefined()
    expect(refused({ folders }, { resources: [file('reports')] })).toBeUndefined()
    for (const other of ['reports-old/a.txt', 'a.txt', '.'])
      expect(refused({ folders }, { resources: [file('reports/a'), file(other)] })).toContain(
        'does not allow',
      )
    expect(refused({ folders }, { resources: [file('reports/a', 'host')] })).toBeDefined()
    expect(refused({ folders: ['.'] }, { resources: [file('a.txt'), program('.', true)] })).toBeUndefined()
    expect(refused({ folders: ['.'] }, { resources: [found('files')] })).toBeUndefined()
    expect(refused({ folders: ['books'] }, { resources: [found('files')] })).toContain(
      'a search of all files',
    )
    expect(refused({ folders: ['books'] }, { resources: [found('notes')] })).toBeUndefined()
    expect(refused({ folders: ['.'] }, { resources: [file('/etc/passwd', 'host')] })).toBeDefined()
  })

  it('keep from folders a program that could leave them', () => {
    const folders = ['project']
    expect(refused({ folders }, { resources: [program('project', false)] })).toBeUndefined()
    expect(refused({ folders }, { resources: [program('project', true)] })).toContain(
      'could leave its folders',
    )
    expect(refused({ folders }, { resources: [program('other', false)] })).toBeDefined()
  })

  it('are quiet for work that nobody asked for, and for no other', () => {
    const quietHours = { from: '11:00', to: '13:00', zone: 'UTC' }
    const unattended = { run: { ...run, unattended: true } }
    expect(refused({ quietHours }, unattended)).toContain('is quiet until 13:00 (UTC)')
    expect(refused({ quietHours })).toBeUndefined()
    expect(refused({ quietHours }, unattended, new Date('2026-03-01T13:00:00Z'))).toBeUndefined()
  })
})
