import { expect, test } from 'vitest'
import { parseRules, scriptFromRules } from './rules.ts'
import type { ScriptTurn } from './script.ts'

function turnOf(lastUser: string, result?: { readonly name: string; readonly text: string }): ScriptTurn {
  return {
    protocol: 'openai',
    model: 'm',
    system: '',
    messages: [],
    lastUser,
    lastResults: result === undefined ? [] : [{ callId: 'c1', isError: false, ...result }],
    tools: [],
    callIndex: 0,
  }
}

const script = scriptFromRules(
  parseRules([
    { when: { user: 'read', afterTool: 'file_read' }, reply: { text: 'It says {{result}}.' } },
    { when: { user: 'read' }, reply: { calls: [{ name: 'file_read', args: { path: ['{{user}}'] } }] } },
    { when: { user: 'raw' }, reply: { calls: [{ name: 'file_read', args: '{"p":"{{user}}"}' }] } },
  ]),
)

test('answers with the first rule that matches', () => {
  expect(script(turnOf('please read'))).toEqual({
    calls: [{ name: 'file_read', args: { path: ['please read'] } }],
  })
  expect(script(turnOf('please read', { name: 'file_read', text: '{{user}} $& x' }))).toEqual({
    text: 'It says {{user}} $& x.',
  })
})

test('does not repeat a call rule after its tool answered', () => {
  expect(script(turnOf('please read', { name: 'other', text: 'x' }))).toEqual({
    text: 'The tool answered: x',
  })
})

test('escapes what it fills into raw arguments', () => {
  expect(script(turnOf('raw "quoted"'))).toEqual({
    calls: [{ name: 'file_read', args: '{"p":"raw \\"quoted\\""}' }],
  })
})

test('echoes when no rule matches', () => {
  expect(script(turnOf('hello'))).toEqual({ text: 'You said: hello' })
})

test('refuses a rule with an unknown field', () => {
  expect(() => parseRules([{ reply: { txt: 'Hi' } }])).toThrow('not a list of rules')
})
