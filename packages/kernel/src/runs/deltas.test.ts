import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createDeltas } from './deltas.ts'

test('shows the first words at once and the rest at most twenty times a second', async () => {
  const shown: string[] = []
  const deltas = createDeltas((_kind, text) => shown.push(text))
  const begun = performance.now()
  for (let index = 0; index < 60; index += 1) {
    deltas.add('text', 'x')
    if (index === 0) expect(shown).toEqual(['x'])
    await sleep(2)
  }
  const spent = performance.now() - begun
  expect(shown.length).toBeLessThanOrEqual(Math.ceil(spent / 50) + 1)
  await sleep(80)
  deltas.stop()
  expect(shown.join('')).toBe('x'.repeat(60))
})

test('shows nothing after it was stopped', async () => {
  const shown: string[] = []
  const deltas = createDeltas((_kind, text) => shown.push(text))
  deltas.add('text', 'a')
  deltas.add('text', 'b')
  deltas.stop()
  await sleep(80)
  expect(shown).toEqual(['a'])
})
