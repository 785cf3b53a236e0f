import { describe, expect, it } from 'vitest'
import { parseArgs, toFacts } from '../definition.ts'
import { askOperator } from './ask-operator.ts'

describe('ask_operator', () => {
  it('is parked by the gateway and shows the question with its choices', () => {
    const facts = toFacts(askOperator)
    expect(facts.runs).toBe('operator')
    const parsed = facts.parse({ question: 'Which?', choices: ['one', 'two'] })
    if (parsed.kind !== 'args') throw new Error('invalid')
    expect(facts.preview(parsed.args)).toMatchObject({ text: 'Which?\n- one\n- two' })
  })

  it('refuses more choices than can be shown', () => {
    expect(parseArgs(askOperator, { question: 'q', choices: Array(9).fill('x') })).toMatchObject({
      kind: 'invalid',
    })
  })
})
