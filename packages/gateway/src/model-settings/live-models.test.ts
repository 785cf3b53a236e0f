import type { ListedModels } from '@countersign/models'
import { expect, test } from 'vitest'
import { createLiveModels } from './live-models.ts'
import type { ProviderChoice } from './model-choices.ts'

const box: ProviderChoice = {
  name: 'box',
  kind: 'openai-compatible',
  url: 'http://127.0.0.1:9/v1',
  timeoutMs: 1_000,
  priority: 1,
  enabled: true,
  source: 'operator',
}

function start(first: ListedModels) {
  const state = { answer: first, asked: 0, now: 0 }
  const live = createLiveModels({
    ask: () => {
      state.asked += 1
      return Promise.resolve(state.answer)
    },
    clock: () => new Date(state.now),
  })
  return { live, state }
}

test('a server is asked once for a while, and again when it moved', async () => {
  const { live, state } = start({ kind: 'listed', models: ['a'] })
  expect(live.known('box')).toEqual([])
  await Promise.all([live.list(box), live.list(box)])
  state.now = 29_000
  await live.list(box)
  expect(state.asked).toBe(1)
  await live.list({ ...box, url: 'http://127.0.0.1:10/v1' })
  expect(state.asked).toBe(2)
})

test('a server that said nothing is asked again soon, and what it said before is kept', async () => {
  const { live, state } = start({ kind: 'listed', models: ['a'] })
  await live.list(box)
  state.answer = { kind: 'failed', message: 'Nobody answers.', status: null }
  state.now = 31_000
  expect(await live.list(box)).toEqual([])
  expect(live.known('box')).toEqual(['a'])
  expect(live.problem('box')).toBe('Nobody answers.')
  state.answer = { kind: 'listed', models: ['b'] }
  state.now += 2_500
  expect(await live.list(box)).toEqual(['b'])
  expect(live.problem('box')).toBeNull()
})
