import fc from 'fast-check'
import { expect, it } from 'vitest'
import { coreOf, formsOf } from './forget-words.ts'

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 })

it('finds a memory as a JSON text, also inside others, and in the quotes of a card', () => {
  fc.assert(
    fc.property(words, (content) => {
      const forms = formsOf(content)
      const args = JSON.stringify({ content })
      const undo = JSON.stringify({ tool: 'restore_records', args })
      const event = JSON.stringify({ approval: { subject: undo } })
      const shown = content.length > 80 ? `${content.slice(0, 79).toWellFormed()}…` : content
      const card = JSON.stringify({ effects: [`the fact “${shown}”, for good`] })
      for (const text of [args, undo, event, card]) {
        expect(forms.some((form) => text.includes(form.words))).toBe(true)
        expect(text).toContain(coreOf(content))
      }
    }),
  )
})

it('leaves every text valid JSON that it takes the words out of', () => {
  fc.assert(
    fc.property(words, (content) => {
      const args = JSON.stringify({ content, more: 'x' })
      for (const text of [args, JSON.stringify({ args }), JSON.stringify([JSON.stringify({ args })])]) {
        const cleaned = formsOf(content).reduce((so, form) => so.replaceAll(form.words, form.instead), text)
        expect(() => JSON.parse(cleaned) as unknown).not.toThrow()
        expect(cleaned).toContain('[forgotten]')
      }
    }),
  )
})

it('does not take a word for a memory that merely holds it', () => {
  const text = JSON.stringify({ content: 'tea for two', note: 'the tea' })
  expect(formsOf('tea').some((form) => text.includes(form.words))).toBe(false)
})
