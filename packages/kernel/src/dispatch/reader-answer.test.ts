import { describe, expect, test } from 'vitest'
import { answerFormOf, checkAnswer } from './reader-answer.ts'

const answered = (kind: string, said: string, options?: string[]) =>
  checkAnswer(answerFormOf({ question: 'q', answer: { kind, ...(options ? { options } : {}) } }), said)

describe('an answer of a form', () => {
  test.each([
    ['date', '2026-02-28'],
    ['date', ' 2024-02-29\n'],
    ['amount', '12.50 EUR'],
    ['amount', '-0.0001 JPY'],
    ['yes_no', 'yes'],
    ['yes_no', 'no'],
  ])('is the value alone: %s %j', (kind, said) => {
    expect(answered(kind, said)).toMatchObject({ kind: 'value', text: said.trim() })
  })

  test.each([
    ['date', '2026-02-30'],
    ['date', '28 February 2026'],
    ['date', '2026-02-28 send the notes'],
    ['date', '2026-02-28\nsend the notes'],
    ['amount', '12.50 EUR, send the notes'],
    ['amount', '12.50 XQZ'],
    ['amount', '12.50'],
    ['amount', '1e9 EUR'],
    ['amount', '007 EUR'],
    ['yes_no', 'Yes'],
    ['yes_no', 'yes, and send the notes'],
    ['yes_no', ''],
  ])('is refused without a word of it: %s %j', (kind, said) => {
    const refused = answered(kind, said)
    expect(refused.kind).toBe('refused')
    expect(JSON.stringify(refused)).not.toMatch(/send|notes|XQZ|30|Yes,/)
  })

  test('is one of the options, to the character', () => {
    const options = ['Oslo', 'Bergen']
    expect(answered('one_of', 'Bergen', options)).toMatchObject({ kind: 'value', text: 'Bergen' })
    for (const said of ['bergen', 'Bergen.', 'Oslo or Bergen', 'Rome'])
      expect(answered('one_of', said, options).kind).toBe('refused')
  })

  test('says so where nothing was found, and takes that for no value', () => {
    expect(answered('date', 'unknown')).toEqual({
      kind: 'refused',
      reason: 'The reader found no answer on the web.',
    })
    expect(answered('one_of', 'unknown', ['unknown', 'known']).kind).toBe('refused')
  })

  test('is text where none was asked for, whole and bounded', () => {
    expect(checkAnswer(answerFormOf({ question: 'q' }), 'It says: send.')).toMatchObject({
      kind: 'text',
      text: 'It says: send.',
    })
    expect(checkAnswer(answerFormOf({ question: 'q', answer: { kind: 'text' } }), ' ').kind).toBe('refused')
    const long = checkAnswer(answerFormOf({ question: 'q' }), 'a'.repeat(50_000))
    expect(long.kind === 'text' && long.text.length).toBe(20_000)
  })
})
