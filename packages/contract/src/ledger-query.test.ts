import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type LedgerTerm,
  ledgerFields,
  ledgerQueryText,
  parseLedgerQuery,
  withoutTerm,
  withTerm,
} from './ledger-query.ts'

const termsIn = (text: string) => {
  const { query, problems } = parseLedgerQuery(text)
  expect(problems).toEqual([])
  return query.terms
}
const problemIn = (text: string) => parseLedgerQuery(text).problems[0]

describe('a query', () => {
  it('is read into terms, whatever stands between them', () => {
    const text =
      '  actor:task/r_7F3K tier>=3 effect:send tool:write_file\ttype:approval.decided rule:base.grant since:7d until:2026-11-01 "free text" word '
    expect(termsIn(text)).toEqual([
      { kind: 'is', field: 'actor', value: 'task/r_7F3K', not: false },
      { kind: 'tier', compare: '>=', tier: 3, not: false },
      { kind: 'is', field: 'effect', value: 'send', not: false },
      { kind: 'is', field: 'tool', value: 'write_file', not: false },
      { kind: 'is', field: 'type', value: 'approval.decided', not: false },
      { kind: 'is', field: 'rule', value: 'base.grant', not: false },
      { kind: 'time', edge: 'since', value: '7d' },
      { kind: 'time', edge: 'until', value: '2026-11-01' },
      { kind: 'text', value: 'free text', not: false },
      { kind: 'text', value: 'word', not: false },
    ])
  })

  it('takes several values of one field, a minus, a number of an entry, and the word for a tier', () => {
    expect(termsIn('-type:model.called,turn.replied #31207 tier:T4')).toEqual([
      { kind: 'is', field: 'type', value: 'model.called', not: true },
      { kind: 'is', field: 'type', value: 'turn.replied', not: true },
      { kind: 'is', field: 'entry', value: '31207', not: false },
      { kind: 'tier', compare: '=', tier: 4, not: false },
    ])
  })

  it('takes anything in quotation marks as words, and keeps a comma in them', () => {
    expect(termsIn(String.raw`"tier:9" "a \"b\" \\ c" tool:"a, b"`)).toEqual([
      { kind: 'text', value: 'tier:9', not: false },
      { kind: 'text', value: String.raw`a "b" \ c`, not: false },
      { kind: 'is', field: 'tool', value: 'a, b', not: false },
    ])
  })

  it.each([
    ['', []],
    ['since:today', ['since:today']],
    ['until:2026-11-01T14:30', ['until:2026-11-01T14:30']],
    ['tier=2', ['tier:2']],
    ['tier:1,2', ['tier:1', 'tier:2']],
    ['-"not this"', ['-"not this"']],
  ])('%j says %j', (text, said) => {
    expect(ledgerQueryText({ terms: termsIn(text) })).toBe(said.join(' '))
  })
})

describe('what cannot be read', () => {
  it.each([
    ['tool:a colour:red', 7, 10, 'There is no field “colour”.'],
    ['tier>=5', 0, 7, '“5” is not a tier.'],
    ['tier>1,2', 0, 8, '“1,2” is not a tier.'],
    ['tool>3', 0, 6, 'Only tier can be compared with >.'],
    ['tool:', 0, 5, 'tool: has no value.'],
    ['word "open', 5, 5, 'A quotation mark is not closed.'],
    ['since:soon', 0, 10, '“soon” is not a time.'],
    ['since:2026-02-31', 0, 16, '“2026-02-31” is not a time.'],
    ['-since:7d', 0, 9, 'since takes one time.'],
    ['entry:first', 0, 11, '“first” is not the number of an entry.'],
    ['a - b', 2, 1, 'Nothing follows here.'],
  ])('%j is a problem with its place and a next step', (text, at, length, message) => {
    const problem = problemIn(text)
    expect(problem).toMatchObject({ at, length, message })
    expect(problem?.next).not.toBe('')
  })

  it('leaves the terms beside it in the query', () => {
    expect(ledgerQueryText(parseLedgerQuery('tool:a colour:red word').query)).toBe('tool:a word')
  })

  it('is a query of more than a thousand characters', () => {
    expect(problemIn('a'.repeat(1_000))).toBeUndefined()
    expect(problemIn('a'.repeat(1_001))).toMatchObject({ at: 1_000 })
  })
})

describe('chips', () => {
  const term: LedgerTerm = { kind: 'is', field: 'tool', value: 'write_file', not: false }

  it('are put in once and taken out again', () => {
    const { query } = parseLedgerQuery('word tool:write_file')
    expect(ledgerQueryText(withTerm(query, term))).toBe('word tool:write_file')
    expect(ledgerQueryText(withoutTerm(query, term))).toBe('word')
    expect(ledgerQueryText(withoutTerm(query, { ...term, not: true }))).toBe('word tool:write_file')
  })
})

const not = fc.boolean()
const value = fc.string({ minLength: 1, maxLength: 12 })
const anyTerm: fc.Arbitrary<LedgerTerm> = fc.oneof(
  fc.record({
    kind: fc.constant('is' as const),
    field: fc.constantFrom(...ledgerFields.filter((field) => field !== 'entry')),
    value,
    not,
  }),
  fc.record({
    kind: fc.constant('tier' as const),
    compare: fc.constantFrom('>=' as const, '<' as const, '=' as const),
    tier: fc.constantFrom(0 as const, 2 as const, 4 as const),
    not,
  }),
  fc.record({
    kind: fc.constant('time' as const),
    edge: fc.constantFrom('since' as const, 'until' as const),
    value: fc.constantFrom('7d', 'today', '2026-11-01'),
  }),
  fc.record({ kind: fc.constant('text' as const), value, not }),
)

it('written out and read again, every query is the same', () => {
  fc.assert(
    fc.property(fc.array(anyTerm, { maxLength: 6 }), (terms) => {
      expect(termsIn(ledgerQueryText({ terms }))).toEqual(terms)
    }),
  )
})

it('no text breaks the reader', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (text) => {
      for (const { at, length } of parseLedgerQuery(text).problems) {
        expect(at + length).toBeLessThanOrEqual(text.length)
        expect(length).toBeGreaterThan(0)
      }
    }),
  )
})
