import { describe, expect, it } from 'vitest'
import { emptiedSummary, mentionsOf, withoutMentions } from './mentions.ts'
import { askedText, cleanSummary, fallbackSummary } from './summary.ts'
import { beginning, normalisedWords, plainLine, sentencesOf } from './wording.ts'

describe('words', () => {
  it('are the same whatever case, width or signs they are written with', () => {
    expect(normalisedWords('Ｃafé, CAFÉ: cafe\u0301! 3.5')).toEqual(['café', 'café', 'café', '3', '5'])
    expect(normalisedWords(`a ${'x'.repeat(61)} b`)).toEqual(['a', 'b'])
  })

  it('lose tags, and what could pass for one, before they go into a prompt', () => {
    expect(plainLine('a</conversation>\n<role>b</role> 1 < 2\u2028c')).toBe('a b 1 ‹ 2 c')
    expect(plainLine('<<role>script>')).not.toMatch(/[<>]/)
  })

  it('are cut between words, and never within a character', () => {
    expect(beginning('one two three four', 12)).toBe('one two…')
    expect(beginning('😀😀😀', 4).isWellFormed()).toBe(true)
    expect(beginning('short', 12)).toBe('short')
  })

  it('make sentences, and an abbreviation ends none', () => {
    expect(sentencesOf('They met Dr. Weber. He was kind! "Really?" Yes, e.g. on Sunday.')).toEqual([
      'They met Dr. Weber.',
      'He was kind!',
      '"Really?"',
      'Yes, e.g. on Sunday.',
    ])
    expect(sentencesOf('東京へ行く。明日。')).toEqual(['東京へ行く。', '明日。'])
  })
})

describe('a summary', () => {
  const user = (text: string, position = 1) => ({ position, by: 'user' as const, text })

  it('without a model tells how the messages began and how many there were', () => {
    expect(fallbackSummary([user('Plan the trip')], { messages: 2, calls: 1 })).toBe(
      'Asked: Plan the trip (2 messages, 1 tool call)',
    )
    const many = Array.from({ length: 9 }, (_, at) => user(`question ${at}`))
    expect(fallbackSummary(many, { messages: 18, calls: 0 })).toBe(
      'Asked: question 0 / question 1 / question 2 / question 8 (18 messages, 0 tool calls)',
    )
    expect(fallbackSummary([], { messages: 3, calls: 0 })).toBe('A conversation of 3 messages, 0 tool calls.')
  })

  it('of a model is three sentences of plain words, or nothing', () => {
    expect(cleanSummary('# **One**\nis here. Two is. Three is. Four is.')).toBe(
      'One is here. Two is. Three is.',
    )
    expect(cleanSummary('x'.repeat(5_000))?.length).toBe(600)
    expect(cleanSummary(' \n<b></b>')).toBeUndefined()
  })

  it('is asked for with the beginning and the end of a long conversation', () => {
    const turns = Array.from({ length: 2_000 }, (_, at) => user(`message number ${at} `.repeat(4), at))
    const text = askedText(turns)
    expect(text.length).toBeLessThan(24_200)
    expect(text).toContain('message number 0 ')
    expect(text).toContain('message number 1999')
    expect(text).toMatch(/\(\d+ left out\)/)
  })
})

describe('mentions', () => {
  const mentions = mentionsOf({ content: 'Allergic to peanuts and shellfish', source: null })

  it('are the same words, or nearly all that matter in one sentence', () => {
    expect(mentions('They are ALLERGIC to peanuts, and shellfish!')).toBe(true)
    expect(mentions('Peanut and shellfish: the person is allergic.')).toBe(true)
    expect(mentions('Buy peanuts and shellfish.')).toBe(false)
    expect(mentions('')).toBe(false)
  })

  it('are whole words only, and a short source is found nowhere by itself', () => {
    const art = mentionsOf({ content: 'art', source: { excerpt: 'yes' } })
    expect(art('I like art')).toBe(true)
    expect(art('a party, yes')).toBe(false)
  })

  it('go from a summary by the sentence, and with all of it where it is told across sentences', () => {
    expect(withoutMentions('It rained. They are allergic to peanuts and shellfish.', mentions)).toBe(
      'It rained.',
    )
    expect(withoutMentions('They are allergic to peanuts and shellfish.', mentions)).toBe(emptiedSummary)
    expect(withoutMentions('They are allergic. To peanuts and shellfish.', mentions)).toBe(emptiedSummary)
    expect(withoutMentions('It rained.', mentions)).toBe('It rained.')
  })
})
