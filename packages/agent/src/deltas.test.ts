import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createDeltas } from './deltas.ts'

test('shows the first words at once and the rest at most twenty times a second', async () => {
  const shown: string[] = []
  const deltas = createDeltas(({ text }) => void shown.push(text))
  const begun = performance.now()
  for (let index = 0; index < 60; index += 1) {
    deltas.add({ type: 'text', text: 'x' })
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
  const deltas = createDeltas(({ text }) => void shown.push(text))
  deltas.add({ type: 'text', text: 'a' })
  deltas.add({ type: 'text', text: 'b' })
  deltas.stop()
  await sleep(80)
  expect(shown).toEqual(['a'])
})

test('tells when an attempt no longer holds, and forgets what it still had to say', async () => {
  const shown: unknown[] = []
  const deltas = createDeltas((piece) => void shown.push(piece))
  const failure = { kind: 'truncated' as const, message: 'cut' }
  deltas.add({ type: 'text', text: 'half' })
  deltas.add({ type: 'text', text: ' unsaid' })
  deltas.add({ type: 'again', failure, next: '' })
  deltas.add({ type: 'reasoning', text: 'hm' })
  deltas.add({ type: 'call', tool: 'look', text: '{"a"' })
  deltas.add({ type: 'call', tool: 'look', text: ':1}' })
  await sleep(120)
  deltas.stop()
  expect(shown).toEqual([
    { attempt: 0, kind: 'text', text: 'half' },
    { attempt: 1, kind: 'text', text: '' },
    { attempt: 1, kind: 'reasoning', text: 'hm' },
    { attempt: 1, kind: 'call', text: '{"a":1}', tool: 'look' },
  ])
})
