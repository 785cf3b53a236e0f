import { expect, it } from 'vitest'
import { createCatalogue } from '../catalogue.ts'
import { builtinTools } from '../index.ts'
import { findTools } from './search.ts'
import { lateRequests } from './testing/late-requests.ts'
import { heldOutRequests, type Request, tuningRequests } from './testing/requests.ts'

const tools = createCatalogue(builtinTools).list()
const shown = 5

function missesOf(requests: readonly Request[]): string[] {
  return requests.flatMap(([text, ...right]) => {
    const found = findTools(tools, { query: text })
      .slice(0, shown)
      .map(({ name }) => name)
    return right.some((name) => found.includes(name))
      ? []
      : [`${text} → ${right.join(' or ')}, found ${found.join(', ') || 'nothing'}`]
  })
}

it('finds the right tool among the first five for 95 of 100 everyday requests', () => {
  const tuning = missesOf(tuningRequests)
  const heldOut = missesOf(heldOutRequests)
  const late = missesOf(lateRequests)
  const all = tuningRequests.length + heldOutRequests.length
  const share = 1 - (tuning.length + heldOut.length) / all
  const of = (requests: readonly Request[], misses: readonly string[]) =>
    `${requests.length - misses.length} of ${requests.length}`
  process.stdout.write(
    `${[
      `The right tool is among the first ${shown} of ${tools.length} for ${(share * 100).toFixed(1)} % of ${all} requests:`,
      `${of(tuningRequests, tuning)} that the search was tuned on, ${of(heldOutRequests, heldOut)} held out; and for ${of(lateRequests, late)} written after it.`,
      ...[...tuning, ...heldOut, ...late].map((miss) => `  missed: ${miss}`),
    ].join('\n')}\n`,
  )
  expect(share).toBeGreaterThanOrEqual(0.95)
  expect(1 - late.length / lateRequests.length).toBeGreaterThanOrEqual(0.85)
})

it('asks different things, each for tools that exist', () => {
  const requests = [...tuningRequests, ...heldOutRequests, ...lateRequests]
  expect(new Set(requests.map(([text]) => text)).size).toBe(requests.length)
  const names = tools.map(({ name }) => name)
  for (const [, ...right] of requests) expect(names).toEqual(expect.arrayContaining(right))
  const asked = new Set(requests.flatMap(([, ...right]) => right))
  const categories = new Set(tools.filter(({ name }) => asked.has(name)).map(({ category }) => category))
  expect(categories).toEqual(
    new Set(tools.map(({ category }) => category).filter((name) => name !== 'operator')),
  )
})
