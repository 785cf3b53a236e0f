import { expect, test } from 'vitest'
import { plainFacts } from './ledger-events.ts'

test('of what the operator did, an automation is told ids and figures and no names', () => {
  const plan = `plan_${'0'.repeat(32)}`
  const data = { plan, name: 'Do as I say', steps: 2, held: true, fields: ['Do as I say'] }
  expect(plainFacts(data)).toEqual({ plan, steps: 2, held: true })
})
