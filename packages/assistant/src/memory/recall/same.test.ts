import { describe, expect, it } from 'vitest'
import { comparableOf, kinshipOf } from './same.ts'
import { between, unitVector } from './testing/made-vectors.ts'

const [here, there] = [unitVector(16, 1), unitVector(16, 2)]
const kinship = (one: string, other: string, nearness: Float32Array | null = null) =>
  kinshipOf(comparableOf(one, nearness && here), comparableOf(other, nearness))

describe('two memories', () => {
  it('repeat each other in the same words, whatever their case and marks', () => {
    expect(kinship('Anna likes tea.', 'anna likes TEA').repeats).toBe(true)
    expect(kinship('Anna likes tea.', 'Anna likes coffee.').repeats).toBe(false)
  })

  it('repeat each other in nearly the same meaning', () => {
    const near = between(here, there, 0.1)
    const one = 'Pepper must not have chicken; it upsets her stomach.'
    expect(kinship(one, 'No chicken for Pepper, it upsets her stomach.', near).repeats).toBe(true)
    expect(kinship(one, 'No chicken for Pepper, it upsets her stomach.', there).repeats).toBe(false)
  })

  it('never repeat each other when a figure or a name differs', () => {
    const near = between(here, there, 0.05)
    expect(kinship('The key is in box 14.', 'The key is in box 15.', near).repeats).toBe(false)
    expect(kinship('Signe plays the trumpet.', 'Tuva plays the trumpet.', near).repeats).toBe(false)
    expect(kinship("The gift is Signe's.", 'The gift is for Signe.', near).repeats).toBe(true)
    expect(kinship('We meet Tom in Oslo.', 'We meet Tom.', near).repeats).toBe(false)
  })

  it('are as near as their vectors, or as their words where there are none', () => {
    expect(kinship('one', 'two', between(here, there, 0.3)).nearness).toBeGreaterThan(0.8)
    expect(kinship('we meet on Monday', 'we meet on Tuesday').nearness).toBeCloseTo(3 / 5)
    expect(kinship('we meet on Monday', 'nothing alike').nearness).toBe(0)
  })
})
