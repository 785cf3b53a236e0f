import { expect, test } from 'vitest'
import { pathOf } from '../app/route/screens.tsx'
import { memoryHistory } from './history.ts'

test('tells of a change once, and hands out the same address until then', () => {
  const history = memoryHistory('/approvals?tier=3')
  let told = 0
  const end = history.listen(() => {
    told += 1
  })
  const before = history.get()
  history.push('/approvals?tier=3')
  expect(history.get()).toBe(before)
  expect(told).toBe(0)
  history.push('/approvals/K7Q2')
  expect(history.get()).toEqual({ pathname: '/approvals/K7Q2', search: '' })
  expect(told).toBe(1)
  end()
  history.replace('/')
  expect(told).toBe(1)
})

test('an address belongs to the screen that it is below, and an unknown one to none', () => {
  expect(pathOf('/settings')).toBe('/settings')
  expect(pathOf('/setup/model')).toBe('/setup')
  expect(pathOf('/ledger/48211')).toBe('/ledger')
  expect(pathOf('/')).toBe('/')
  expect(pathOf('/nowhere')).toBeUndefined()
  expect(pathOf('/setups')).toBeUndefined()
})
