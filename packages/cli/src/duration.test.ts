import { expect, it } from 'vitest'
import { parseDuration } from './duration.ts'

it('reads durations with a unit, alone or together', () => {
  expect(parseDuration('90s')).toBe(90_000)
  expect(parseDuration('10m')).toBe(600_000)
  expect(parseDuration('1h30m')).toBe(5_400_000)
  expect(parseDuration('1.5h')).toBe(5_400_000)
  expect(parseDuration('500ms')).toBe(500)
  expect(parseDuration('2d')).toBe(172_800_000)
})

it.each(['', '10', 'm', '10 m', '-5m', '10x', '5m!', '0s', '30d', '1e3s'])('refuses %j', (text) => {
  expect(parseDuration(text)).toBeUndefined()
})
