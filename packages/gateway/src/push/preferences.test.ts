import { usualPushPreferences } from '@countersign/contract'
import { expect, test } from 'vitest'
import { isWanted } from './preferences.ts'

const quiet = { from: '22:00', to: '07:00', zone: 'Europe/Vienna' }
const night = new Date('2026-11-16T22:30:00.000Z')
const noon = new Date('2026-11-16T11:00:00.000Z')
const after = (minutes: number) => new Date(night.getTime() + minutes * 60_000)

test('a kind that was not chosen is not told', () => {
  expect(isWanted(usualPushPreferences, { kind: 'failure' }, noon)).toBe(true)
  expect(isWanted(usualPushPreferences, { kind: 'finished' }, noon)).toBe(false)
})

test('quiet hours hold what can wait, and let a request through that would expire', () => {
  const preferences = { ...usualPushPreferences, quiet }
  expect(isWanted(preferences, { kind: 'failure' }, noon)).toBe(true)
  expect(isWanted(preferences, { kind: 'failure' }, night)).toBe(false)
  expect(isWanted(preferences, { kind: 'question' }, night)).toBe(false)
  expect(isWanted(preferences, { kind: 'approval', expiresAt: after(61) }, night)).toBe(false)
  expect(isWanted(preferences, { kind: 'approval', expiresAt: after(59) }, night)).toBe(true)
  expect(isWanted({ kinds: [], quiet }, { kind: 'approval', expiresAt: after(59) }, night)).toBe(false)
})
