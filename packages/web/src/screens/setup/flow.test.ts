import { type Onboarding, type SetupState, SetupStepId } from '@countersign/contract'
import { expect, test } from 'vitest'
import { after, stepOf } from './flow.ts'

function view(states: Partial<Record<SetupStepId, SetupState>>): Onboarding {
  const steps = SetupStepId.options.map((id) => ({ id, state: states[id] ?? 'todo' }))
  const next = steps.find(({ state }) => state === 'todo')?.id ?? null
  return { steps, settled: 0, total: steps.length, next } as unknown as Onboarding
}

test('goes on to the next step that is still to do', () => {
  expect(after(view({ check: 'done', you: 'done', model: 'skipped' }), 'you')).toBe('safety')
})

test('comes back to what was left before it goes to the end', () => {
  const all = Object.fromEntries(SetupStepId.options.map((id) => [id, 'done' as const]))
  expect(after(view({ ...all, you: 'todo' }), 'recipes')).toBe('you')
  expect(after(view(all), 'recipes')).toBe('done')
})

test('a gateway without a step is told of, not guessed about', () => {
  expect(() => stepOf({ ...view({}), steps: [] }, 'check')).toThrow('no step check')
})
