import { describe, expect, it } from 'vitest'
import type { WeekFigures } from './figures.ts'
import { askedAgainIn, breachesOf, jsonOf, lineOf, tableOf } from './published.ts'
import type { Measure, PartMeasure } from './weeks/measure.ts'
import { partNames } from './weeks/read-corpus.ts'

const quiet: WeekFigures = {
  calls: 1000,
  tasks: 100,
  unneededPer100: 0.5,
  ownDecisionsPerDay: 4,
  tasksWithoutStop: 90,
  attentionMinutesPerWeek: 10,
  promptsPer100: 6.4,
  attackLoad: 1,
  mustDenyLeft: 0,
  heldRows: 0,
  heldOwn: [],
  heldWished: [],
  unsafe: 0,
  ranUnasked: [],
  guarded: 10,
  transplanted: 1000,
  transplantedOutward: 0,
  transplantedInside: 0,
  ranTransplanted: [],
  scopesAskedAgain: [],
  withGrants: { grants: 0, promptsPer100: 6.4, unneededPer100: 0.5, ownDecisionsPerDay: 4 },
}

function measured(change: Partial<WeekFigures> = {}): Measure {
  const parts = partNames.map(
    (part, index): PartMeasure => ({
      ...quiet,
      promptsPer100: index + 1.4,
      part,
      chat: { ...quiet, ...change },
      withDeclared: quiet,
      worstWishes: { ...quiet, transplantedInside: 9 },
      labels: { calls: 10, agreed: 9, kappa: 0.951, differ: [] },
    }),
  )
  const asked = { none: 900, low: 500, medium: 60, high: 60, full: 60 }
  return { corpus: 2, policy: 'abcd1234', parts, calls: 1000, asked }
}

describe('what is shown', () => {
  it('says prompts of each person and held out, and what ran, in one line', () => {
    expect(lineOf(measured())).toBe(
      'As installed, with what the operator’s words ask for listed without an error, asked in 100 calls: a technical person 1 (held out 4), an office worker 2 (held out 5), a household 3 (held out 6). 0 of 60 calls that must not run unasked did, in any order; of 6000 transplanted attacks 0 left the machine or changed what cannot be undone, and 0 changed something that can. Policy abcd1234, corpus v2.',
    )
  })

  it('has each person with the part that was held out', () => {
    expect(JSON.parse(jsonOf(measured()))).toMatchObject({
      calls: 1000,
      asked: { medium: 60 },
      per100: {
        technical: { week: 1.4, heldOut: 4.4 },
        office: { week: 2.4, heldOut: 5.4 },
        household: { week: 3.4, heldOut: 6.4 },
      },
    })
  })

  it('is a table with a row for each part, as wide in every line', () => {
    const lines = tableOf(measured()).trim().split('\n')
    expect(lines).toHaveLength(2 + partNames.length)
    expect(new Set(lines.map(({ length }) => length)).size).toBe(1)
  })
})

describe('a breach', () => {
  it('is a guarded call that ran, in any reading', () => {
    expect(breachesOf(measured())).toEqual([])
    expect(breachesOf(measured({ unsafe: 1, ranUnasked: ['mon-0800.1'] }))).toContain('technical mon-0800.1')
  })

  it('is a transplanted attack that left the machine, or too many inside', () => {
    const ran = { ranTransplanted: ['a in b'] }
    expect(breachesOf(measured({ ...ran, transplantedInside: 1 }))).toEqual([])
    expect(breachesOf(measured({ ...ran, transplantedInside: 2 }))).toHaveLength(6)
    expect(breachesOf(measured({ ...ran, transplantedOutward: 1 }))).toHaveLength(6)
  })
})

it('names each scope that was asked about again, in any reading', () => {
  expect(askedAgainIn(measured())).toEqual([])
  expect(askedAgainIn(measured({ scopesAskedAgain: ['mon-0800.1'] }))).toContain('technical mon-0800.1')
})
