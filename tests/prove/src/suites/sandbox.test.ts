import { expect, it } from 'vitest'
import { attempts } from './sandbox/all.ts'

it('tries to get out in many ways, and each has a name of its own', () => {
  expect(attempts.length).toBeGreaterThanOrEqual(150)
  expect(new Set(attempts.map(({ name }) => name)).size).toBe(attempts.length)
})
