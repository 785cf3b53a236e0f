import { type EncodingName, encodings } from '@countersign/contract/node'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../packages/executor/src/testing/random.ts'
import { createCanaries, formsOf } from './secrets/canaries.ts'
import { harmlessTrials, maskingTrials, redactorOf } from './secrets/masking.ts'

const canaries = createCanaries(28, createRandom(5))
const all = Object.keys(encodings) as EncodingName[]

describe('the eye that looks for values', () => {
  it('sees every form of every value, and nothing in its absence', () => {
    for (const { value } of canaries.all)
      for (const [name, form] of Object.entries(formsOf(value)))
        expect({ name, seen: canaries.seenIn(`x ${form} y`).length > 0 }).toEqual({ name, seen: true })
    expect(canaries.seenIn(createCanaries(1, createRandom(6)).all[0]?.value ?? '')).toEqual([])
  })
})

describe('a redactor that knows the values', () => {
  const redact = redactorOf(canaries)

  it('leaves none of them in any form, and every harmless text as it is', () => {
    expect(maskingTrials(canaries, redact).wrong).toEqual([])
    expect(harmlessTrials(2_000, canaries, redact, createRandom(7)).wrong).toEqual([])
  })

  it.each(all)('is caught when it does not know %s', (missing) => {
    const known = all.filter((name) => name !== missing)
    expect(maskingTrials(canaries, redactorOf(canaries, known)).wrong.length).toBeGreaterThan(0)
  })

  it('is caught when it masks too much', () => {
    const eager = (text: string) => text.replaceAll(/[A-Za-z0-9+/]{40,}/g, '‹secret:x›')
    expect(harmlessTrials(2_000, canaries, eager, createRandom(7)).wrong.length).toBeGreaterThan(0)
  })
})
