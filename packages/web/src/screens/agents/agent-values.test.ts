import { type Agent, PromptPart } from '@countersign/contract'
import { expect, test } from 'vitest'
import { agentChange, agentProblems, agentValues, copyOf } from './agent-values.ts'

const agent: Agent = {
  id: 'cook',
  kind: 'custom',
  name: 'Cook',
  description: '',
  systemPrompt: 'You plan meals.',
  model: 'default',
  tools: ['read_file'],
  toolGroups: ['notes'],
  conversational: true,
  triggers: { keywords: ['meal', 'soup'] },
  enabled: true,
  builtIn: false,
  changed: false,
  isDefault: false,
  label: null,
  updatedAt: null,
}

test('asks for nothing where nothing was changed', () => {
  expect(agentChange(agent, agentValues(agent))).toEqual({})
})

test('asks for what was changed only, and null takes a limit away', () => {
  const limited = { ...agent, maxTurns: 10 }
  const values = { ...agentValues(limited), maxTurns: '', tools: 'read_file, write_file', data: ['notes'] }
  expect(agentChange(limited, values)).toEqual({
    maxTurns: null,
    tools: ['read_file', 'write_file'],
    dataAccess: ['notes'],
  })
})

test('leaves out of the prompt what is not ticked', () => {
  const values = agentValues({ ...agent, leaveOut: ['time'] })
  expect(values.told).toEqual(PromptPart.options.filter((part) => part !== 'time'))
  const left = new Set(['instructions', 'tools', 'capabilities'])
  const told = PromptPart.options.filter((part) => !left.has(part))
  const wanted = { ...values, told, historyTokens: '4000' }
  expect(agentChange({ ...agent, leaveOut: ['time'] }, wanted)).toEqual({
    leaveOut: ['instructions', 'tools', 'capabilities'],
    historyTokens: 4_000,
  })
  expect(agentProblems({ ...values, historyTokens: '10' }).historyTokens).toBeDefined()
})

test('says what is wrong with a limit', () => {
  const told = agentProblems({
    ...agentValues(agent),
    name: ' ',
    maxTurns: '0',
    maxTokens: '1.5',
    temperature: '2,5',
  })
  expect(Object.entries(told).flatMap(([name, problem]) => (problem === undefined ? [] : [name]))).toEqual([
    'name',
    'maxTurns',
    'maxTokens',
    'temperature',
  ])
})

test('copies what an agent is, and not who it is', () => {
  expect(copyOf(agent)).toMatchObject({ name: 'Cook copy', systemPrompt: 'You plan meals.' })
  expect(copyOf(agent)).not.toHaveProperty('id')
})
