import { expect, it } from 'vitest'
import { completionsAt } from './completion.ts'

const sources = { tools: ['read_file', 'write_file'], categories: ['files'] }
const labels = (before: string) => completionsAt(before, sources).items.map(({ label }) => label)

it('offers what a rule can look at', () => {
  expect(labels('when { context.un')).toEqual(['unattended', 'unproven', 'uninspectable'])
  expect(completionsAt('when { context.un', sources).typed).toBe(2)
})

it('offers tools, groups and who asks by what stands before the quotation mark', () => {
  expect(labels('resource == Tool::"wr')).toEqual(['write_file'])
  expect(labels('resource in Category::"')).toEqual(['files'])
  expect(labels('principal in RequesterKind::"s')).toEqual(['schedule'])
  expect(labels('context.confidentiality == "p')).toEqual(['public', 'private'])
})

it('begins a rule, and offers nothing where nothing fits', () => {
  expect(labels('for')).toEqual(['forbid'])
  expect(labels('context.tier == 3')).toEqual([])
})
