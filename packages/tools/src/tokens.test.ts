import { expect, it } from 'vitest'
import { createCatalogue } from './catalogue.ts'
import { builtinTools } from './index.ts'
import { tokensOf } from './testing/tokens.ts'

it('costs a model less than a thousand tokens to reach every tool', () => {
  const tools = createCatalogue(builtinTools).list()
  const meta = tokensOf(tools.filter(({ category }) => category === 'meta'))
  const listed = tokensOf(tools.filter((facts) => facts.listed))
  const all = tokensOf(tools)
  process.stdout.write(
    `Tokens (o200k_base): ${meta.tools} meta-tools ${meta.tokens}, ${listed.tools} listed tools ${listed.tokens}, all ${all.tools} tools ${all.tokens}.\n`,
  )
  expect(meta.tools).toBe(4)
  expect(meta.tokens).toBeLessThan(1000)
  expect(listed.tokens).toBeLessThan(1500)
  expect(all.tokens).toBeGreaterThan(10 * meta.tokens)
})
