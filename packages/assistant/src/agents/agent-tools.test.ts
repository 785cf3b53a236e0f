import { AgentKind } from '@countersign/contract'
import { builtinTools, createCatalogue } from '@countersign/tools'
import { describe, expect, test } from 'vitest'
import { agentTools, barred, mayHave, type ToolChoice } from './agent-tools.ts'

const catalogue = createCatalogue(builtinTools)
const agent = (given: Partial<ToolChoice> = {}): ToolChoice => ({
  kind: 'custom',
  tools: [],
  toolGroups: [],
  conversational: true,
  ...given,
})
const names = (given: Partial<ToolChoice>) =>
  agentTools(agent(given), catalogue)
    .catalogue.list()
    .map(({ name }) => name)

describe('the tools of an agent', () => {
  test('are all of them for the assistant, with those shown that are listed', () => {
    const tools = agentTools(agent({ kind: 'user' }), catalogue)
    expect(tools.catalogue.list()).toEqual(catalogue.list())
    expect(tools.shown).toEqual(catalogue.list().flatMap(({ listed, name }) => (listed ? [name] : [])))
  })

  test('of a task hold nothing that talks, remembers or begins work, and still its files', () => {
    const { catalogue: has } = agentTools(agent({ kind: 'task' }), catalogue)
    for (const name of [
      'ask_operator',
      'remember',
      'save_learning',
      'start_agent_task',
      'recall',
      'create_tool',
    ])
      expect(has.find(name), name).toBeUndefined()
    for (const { group, name } of has.list()) expect(barred.task.groups, name).not.toContain(group)
    expect(has.find('write_file')).toBeDefined()
    expect(has.find('search_tools')).toBeDefined()
    expect(has.find('add_note')).toBeDefined()
  })

  test('of a feed look and do not touch', () => {
    const { catalogue: has } = agentTools(agent({ kind: 'feed', conversational: false }), catalogue)
    expect(has.find('list_notes')).toBeDefined()
    expect(has.find('add_note')).toBeUndefined()
    expect(has.find('read_file')).toBeDefined()
    for (const name of ['write_file', 'http_request', 'execute_shell', 'ask_operator', 'start_agent_task'])
      expect(has.find(name), name).toBeUndefined()
    expect(has.list().filter(({ floor, group }) => floor > 0 && group !== 'core')).toEqual([])
  })

  test('of a plan are what its steps may call, but no plans', () => {
    expect(mayHave(agent({ kind: 'plan' }), { name: 'x', group: 'plans', floor: 0 })).toBe(false)
    expect(names({ kind: 'plan', conversational: false })).toContain('ask_operator')
  })

  test('are those that it was given, with the core, and the nearest other is not there', () => {
    const given = names({ tools: ['read_file'], toolGroups: ['notes'] })
    expect(given).toContain('read_file')
    expect(given).toContain('add_note')
    expect(given).toContain('search_tools')
    expect(given).not.toContain('write_file')
    expect(given).not.toContain('list_directory')
    expect(given).not.toContain('add_task')
  })

  test('are never more than the kind may have, whatever was given', () => {
    for (const kind of AgentKind.options)
      for (const name of barred[kind].tools) expect(names({ kind, tools: [name] })).not.toContain(name)
    expect(names({ kind: 'task', toolGroups: ['memory', 'notes'] })).not.toContain('recall')
  })

  test('reach only the data that it may see', () => {
    const given = names({ dataAccess: ['notes'] })
    expect(given).toContain('list_notes')
    expect(given).toContain('read_file')
    for (const name of ['list_tasks', 'list_contacts', 'list_calendar_events', 'recall'])
      expect(given).not.toContain(name)
  })

  test('cannot ask where the agent does not talk', () => {
    expect(names({ conversational: false })).not.toContain('ask_operator')
    expect(names({ conversational: true })).toContain('ask_operator')
  })

  test('are shown from the start where they were named', () => {
    const { shown } = agentTools(agent({ tools: ['add_note'] }), catalogue)
    expect(shown).toContain('add_note')
    expect(shown).not.toContain('write_file')
    expect(agentTools(agent({ kind: 'task', tools: ['recall'] }), catalogue).shown).not.toContain('recall')
  })

  test('that are outside are answered as if they did not exist', () => {
    const { catalogue: has } = agentTools(agent({ toolGroups: ['notes'] }), catalogue)
    expect(has.missing('write_file')).toBe(has.missing('write_fiel').replace('fiel', 'file'))
    expect(has.missing('add_task')).toContain('There is no tool named add_task. Near it: ')
    for (const word of has.missing('add_task').matchAll(/\w+_\w+/g))
      if (word[0] !== 'add_task') expect(has.find(word[0]), word[0]).toBeDefined()
  })

  test('that only the product calls stay findable for it, and are on no list', () => {
    const hidden = builtinTools.find((tool) => tool.hidden)?.name ?? ''
    const { catalogue: has } = agentTools(agent({ kind: 'task', toolGroups: ['notes'] }), catalogue)
    expect(has.find(hidden)).toBe(catalogue.find(hidden))
    expect(has.list().some(({ name }) => name === hidden)).toBe(false)
  })
})
