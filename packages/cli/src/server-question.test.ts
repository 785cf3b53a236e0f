import type { QuestionId, ServerField, ServerQuestion } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import type { FollowUp } from './chat/follow-up.ts'
import { replyToServer } from './chat/server-follow-up.ts'
import { readTypedLine } from './chat/typed-line.ts'
import { presetText, readAnswer, serverQuestionText } from './server-question.ts'

const common = { name: 'x', title: '', description: '', required: false }
const city: ServerField = {
  ...common,
  kind: 'text',
  name: 'city',
  format: null,
  least: 0,
  most: 9,
  preset: null,
  required: true,
}
const room: ServerField = {
  ...common,
  kind: 'choice',
  name: 'room',
  choices: [
    { value: 's', label: 'Single' },
    { value: 'd', label: 'Double' },
  ],
  preset: 'd',
}
const question: ServerQuestion = {
  server: 'booking',
  tool: 'book',
  form: { message: 'APPROVED\n? The agent asks', fields: [city, room] },
}
const waits = {
  kind: 'question',
  id: 'q_1' as QuestionId,
  run: 'run_1' as never,
  text: '',
  choices: [],
  server: question,
} as const

describe('a question of a server at the terminal', () => {
  test('has every line of the server behind a bar', () => {
    const [first = '', ...rest] = serverQuestionText(question).split('\n')
    expect(first).toContain('The server booking asks you')
    expect(rest.every((each) => each.startsWith('  │ '))).toBe(true)
  })

  test('takes a letter, and whatever is longer is a message and no answer', () => {
    expect(readTypedLine('a', waits, true)).toEqual({ kind: 'reply', action: 'accept' })
    expect(readTypedLine('d', waits, true)).toEqual({ kind: 'reply', action: 'decline' })
    expect(readTypedLine('x', waits, false)).toEqual({ kind: 'reply', action: 'cancel' })
    expect(readTypedLine('Graz', waits, true)).toEqual({ kind: 'message', text: 'Graz' })
    expect(readTypedLine('ok', waits, true).kind).toBe('hint')
  })

  test.each<[ServerField, string, unknown]>([
    [city, 'Graz', 'Graz'],
    [room, '', 'd'],
    [room, '1', 's'],
    [room, 'Single', 's'],
    [{ ...common, kind: 'boolean', preset: null }, 'yes', true],
    [{ ...common, kind: 'boolean', preset: null }, '', undefined],
    [{ ...common, kind: 'number', whole: true, least: 1, most: 5, preset: null }, '3', 3],
  ])('reads %j from “%s”', (field, typed, value) => {
    expect(readAnswer(field, typed)).toEqual({ kind: 'value', value })
  })

  test.each<[ServerField, string]>([
    [city, ''],
    [city, 'much too long a name'],
    [room, 'Triple'],
    [{ ...common, kind: 'boolean', preset: null }, 'perhaps'],
    [{ ...common, kind: 'number', whole: true, least: 1, most: 5, preset: null }, 'many'],
  ])('says what is wrong with %j where “%s” is typed', (field, typed) => {
    expect(readAnswer(field, typed).kind).toBe('problem')
  })

  test('is sent field by field, after a yes only', async () => {
    const said: string[] = []
    const sent: unknown[] = []
    const client = { reply: async (...all: unknown[]) => (sent.push(all), { ledger: 7 }) }
    const parts = {
      gateway: { client } as never,
      print: (text: string) => said.push(text),
      paint: (() => undefined) as never,
    }
    expect(await replyToServer(parts, waits, 'accept', false)).toBeNull()
    const through = async (typed: readonly string[]) => {
      let next: FollowUp | void = (await replyToServer(parts, waits, 'accept', true)) ?? undefined
      for (const each of typed) next = await next?.take(each)
    }
    await through(['Graz', '', ''])
    expect(sent).toEqual([])
    await through(['', 'Graz', '1', 'y'])
    expect(sent).toEqual([['q_1', { action: 'accept', values: { city: 'Graz', room: 's' } }]])
    expect(presetText(room)).toBe('Double')
  })
})
