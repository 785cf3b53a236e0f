import { conversationLimits, promptLimits, taskLimits } from '@countersign/agent'
import { LimitGroup } from '@countersign/contract'
import { expect, test } from 'vitest'
import { limitGroups } from './limits.ts'

const groups = limitGroups({
  retention: { events: 30, details: 90 } as never,
  rates: { all: 60, tools: { search_web: 20 } },
  conversations: { silenceMinutes: 45, summaries: 2 },
})
const valueOf = (group: string, name: string) =>
  groups.find((each) => each.name === group)?.limits.find((each) => each.name === name)?.value

test('tells the limits that hold, also those inside of others, and how some are changed', () => {
  expect(valueOf('A run of a conversation', 'turns')).toBe(conversationLimits.turns)
  expect(valueOf('A task', 'turns')).toBe(taskLimits.turns)
  expect(valueOf('A run of a conversation', 'delayedRetry.baseMs')).toBe(10_000)
  expect(valueOf('A prompt', 'longest')).toBe(promptLimits.longest)
  expect(valueOf('A prompt', 'summaries')).toBe(2)
  expect(valueOf('A conversation', 'quietMs')).toBe(45 * 60_000)
  expect(valueOf('A run that was told to stop', 'graceMs')).toBe(30_000)
  expect(valueOf('Calls a minute', 'tools.search_web')).toBe(20)
  expect(valueOf('Days that things are kept', 'details')).toBe(90)
  expect(groups.find(({ name }) => name === 'A task')?.change).toContain('agent set')
  for (const group of groups) {
    expect(LimitGroup.parse(group)).toEqual(group)
    expect(group.limits.length).toBeGreaterThan(0)
  }
})
