import { guardName } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { toFacts } from '../definition.ts'
import { createRecordToolRunner } from '../testing/record-tool-runner.ts'
import { allowSpending } from './allow-spending.ts'

const args = {
  budget: 'run',
  subject: 'run_1',
  period: 'ever',
  nanos: 250_000_000,
  because: 'The budget run has $0.00 left.',
}

describe('allow_spending', () => {
  it('is for the operator to decide and not for a model to call', () => {
    const facts = toFacts(allowSpending)
    expect(facts).toMatchObject({ hidden: true, floor: 3, effect: 'once' })
    expect(facts.describe(args)).toBe('Allow $0.25 more for the budget run of run_1')
  })

  it('adds to the one period of the one budget', async () => {
    const test = createRecordToolRunner()
    const { found, result } = await test.use(allowSpending, args)
    expect(found).toMatchObject({
      effects: [{ reversible: false, object: 'up to $0.25 more for run of run_1' }],
    })
    expect(result).toMatchObject({ ok: true, undo: null })
    expect(test.allowed).toEqual([args])
  })

  it('says so where the budget is gone', async () => {
    const { result } = await createRecordToolRunner().use(allowSpending, { ...args, budget: 'gone' })
    expect(result).toMatchObject({ ok: false, text: 'The budget gone of run_1 is no longer there.' })
  })

  it('lets unattended work go on where the guard held it, and adds nothing', async () => {
    const test = createRecordToolRunner()
    await test.use(allowSpending, { ...args, budget: guardName })
    expect(test.allowed).toEqual(['released'])
  })

  it.each([-1, 0.5, Number.MAX_SAFE_INTEGER + 1])('refuses the amount %d', (nanos) => {
    expect(toFacts(allowSpending).parse({ ...args, nanos }).kind).toBe('invalid')
  })
})
