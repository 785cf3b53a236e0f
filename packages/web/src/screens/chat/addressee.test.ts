import { expect, it } from 'vitest'
import { addresseeOf } from './addressee.tsx'

it.each([
  ['', {}],
  ['agent:researcher', { agent: 'researcher' }],
  ['team:team_1', { team: 'team_1' }],
  ['goal:goal_0198', { goal: 'goal_0198' }],
  ['agent:a:b', { agent: 'a:b' }],
])('addresses a new conversation to what was chosen: %s', (value, addressee) => {
  expect(addresseeOf(value)).toEqual(addressee)
})
