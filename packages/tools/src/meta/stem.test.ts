import { expect, it } from 'vitest'
import { stemOf } from './stem.ts'

it.each([
  ['task', 'tasks'],
  ['finish', 'finished', 'finishing', 'finishes'],
  ['plan', 'planned', 'planning', 'plans'],
  ['entry', 'entries'],
  ['calculate', 'calculation', 'calculating', 'calculator'],
  ['color', 'colour', 'colours'],
  ['favorite', 'favourite', 'favourites'],
  ['organize', 'organise', 'organised'],
  ['liter', 'litre', 'litres'],
  ['box', 'boxes'],
  ['create', 'creates', 'created', 'creating'],
  ['repeat', 'repeats', 'repeated'],
  ['format', 'formatted', 'formatting'],
  ['save', 'saves', 'saved', 'saving'],
])('gives one stem to the forms of %s', (word, ...forms) => {
  expect(forms.map(stemOf)).toEqual(forms.map(() => stemOf(word)))
})

it.each([
  ['repeat', 'repeal'],
  ['table', 'tablet'],
  ['list', 'listen'],
  ['day', 'dad'],
  ['status', 'state'],
  ['sha256', 'sha512'],
])('keeps %s and %s apart', (one, other) => {
  expect(stemOf(one)).not.toBe(stemOf(other))
})
