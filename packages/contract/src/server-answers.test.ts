import { describe, expect, test } from 'vitest'
import { problemWithAnswers } from './server-answers.ts'
import type { ServerField, ServerForm } from './server-question.ts'

const common = { name: 'a', title: 'A', description: '', required: false }
const text: ServerField = { kind: 'text', ...common, format: null, least: 2, most: 4, preset: null }
const choices = [
  { value: 'x', label: 'X' },
  { value: 'y', label: 'Y' },
]

function form(field: ServerField): ServerForm {
  return { message: 'What?', fields: [field] }
}

describe('answers to a server', () => {
  test.each<[ServerField, unknown]>([
    [text, 'abc'],
    [{ ...text, format: 'email', most: 20 }, 'a@b.c'],
    [{ ...text, format: 'date', most: 20 }, '2026-11-30'],
    [{ kind: 'number', ...common, whole: true, least: 1, most: 3, preset: null }, 2],
    [{ kind: 'boolean', ...common, preset: null }, false],
    [{ kind: 'choice', ...common, choices, preset: null }, 'x'],
    [{ kind: 'choices', ...common, choices, least: 0, most: 2, preset: null }, ['x', 'y']],
  ])('fit %j', (field, value) => {
    expect(problemWithAnswers(form(field), { a: value as string })).toBeUndefined()
    expect(problemWithAnswers(form(field), {})).toBeUndefined()
  })

  test.each<[ServerField, unknown]>([
    [text, 'a'],
    [text, 'abcde'],
    [text, 3],
    [{ ...text, format: 'email', most: 20 }, 'nobody'],
    [{ ...text, format: 'uri', most: 20 }, 'nowhere'],
    [{ ...text, format: 'date', most: 20 }, 'today'],
    [{ kind: 'number', ...common, whole: true, least: 1, most: 3, preset: null }, 2.5],
    [{ kind: 'number', ...common, whole: false, least: 1, most: 3, preset: null }, 4],
    [{ kind: 'number', ...common, whole: false, least: null, most: null, preset: null }, '4'],
    [{ kind: 'boolean', ...common, preset: null }, 'yes'],
    [{ kind: 'choice', ...common, choices, preset: null }, 'z'],
    [{ kind: 'choices', ...common, choices, least: 0, most: 1, preset: null }, ['x', 'y']],
    [{ kind: 'choices', ...common, choices, least: 0, most: 2, preset: null }, ['x', 'x']],
  ])('do not fit %j', (field, value) => {
    expect(problemWithAnswers(form(field), { a: value as string })).toMatch(/^A: /)
  })

  test('are needed where the field says so, and name no other field', () => {
    expect(problemWithAnswers(form({ ...text, required: true }), {})).toBe('A: an answer is needed.')
    expect(problemWithAnswers(form(text), { b: 'abc' })).toMatch(/does not have/)
  })
})
