import { GoalLimitsChange } from '@countersign/contract'
import { expect, test } from 'vitest'
import { changeOf, problemsOf, valuesOf } from './limits.ts'

const limits = {
  tierMax: 1 as const,
  moneyPerDayUsd: 0.5,
  hosts: [],
  folders: ['books/2026', 'notes'],
  quietHours: { from: '22:00', to: '07:00', zone: 'Europe/Vienna' },
}

test('writes limits and reads the same again', () => {
  const change = changeOf(valuesOf(limits), 'Europe/Vienna')
  expect(change).toEqual({ ...limits, tools: null })
  expect(GoalLimitsChange.safeParse(change).success).toBe(true)
})

test('takes every limit away that is empty', () => {
  const change = changeOf(valuesOf({}), 'UTC')
  expect(Object.values(change).every((value) => value === null)).toBe(true)
  expect(Object.values(problemsOf(valuesOf({}))).some((problem) => problem !== undefined)).toBe(false)
})

test('says what is wrong with each', () => {
  const told = problemsOf({
    ...valuesOf({}),
    money: 'a lot',
    hosts: 'Bank.example',
    folders: '../secrets',
    tools: '*',
    quietFrom: '22:00',
  })
  expect(Object.entries(told).flatMap(([name, problem]) => (problem === undefined ? [] : [name]))).toEqual([
    'money',
    'hosts',
    'folders',
    'tools',
    'quietTo',
  ])
})
