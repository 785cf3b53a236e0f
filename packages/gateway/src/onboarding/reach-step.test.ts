import { type DeliveryView, idFrom } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { reachStep } from './reach-step.ts'
import { setupWords } from './words/index.ts'

const operator = idFrom('op', '01a1d000-0000-7000-8000-000000000000')
const by = { operator, actor: { kind: 'operator', id: 'laptop' } } as const
const signal = new AbortController().signal
const record = { state: 'todo', at: null, notes: {} } as const
const chat = { kind: 'channel', name: 'chat' } as const

function step({ sent = [], pushes = false }: { sent?: Partial<DeliveryView>[]; pushes?: boolean } = {}) {
  return reachStep({
    hasPush: async () => pushes,
    deliveries: async (_operator, name) => (name === 'chat' ? (sent as DeliveryView[]) : []),
  })
}

describe('the step in which a message arrives', () => {
  test('is done without one, and says so', async () => {
    expect(await step().answer(by, {}, record, signal)).toEqual({ done: true })
    expect((await step().look(operator, record, setupWords.en)).data.arrived).toBeNull()
  })

  test('remembers where one arrived', async () => {
    const handler = step({ sent: [{ kind: 'test', state: 'sent' }] })
    const { done, notes = {} } = await handler.answer(by, { arrived: chat }, record, signal)
    expect(done).toBe(true)
    const view = await handler.look(operator, { ...record, notes }, setupWords.en)
    expect(view.data.arrived).toEqual(chat)
  })

  test('a line that may have arrived can be one that did', async () => {
    const handler = step({ sent: [{ kind: 'test', state: 'unknown' }] })
    expect((await handler.answer(by, { arrived: chat }, record, signal)).done).toBe(true)
  })

  test.each([
    ['nothing was sent', []],
    ['only a reply was sent', [{ kind: 'reply', state: 'sent' }]],
    ['the test still waits', [{ kind: 'test', state: 'waiting' }]],
    ['the test was refused', [{ kind: 'test', state: 'refused' }]],
  ] as const)('does not believe that it arrived when %s', async (_, sent) => {
    await expect(
      step({ sent: [...sent] }).answer(by, { arrived: chat }, record, signal),
    ).rejects.toMatchObject({ code: 'usage', next: expect.stringContaining('channel test chat') })
  })

  test('a notification arrives only where a browser takes them', async () => {
    const push = { kind: 'push' } as const
    await expect(step().answer(by, { arrived: push }, record, signal)).rejects.toMatchObject({
      code: 'usage',
    })
    expect((await step({ pushes: true }).answer(by, { arrived: push }, record, signal)).notes).toEqual({
      arrived: push,
    })
  })

  test('notes that nobody wrote are none', async () => {
    const kept = { ...record, notes: { arrived: { kind: 'pigeon' } } }
    expect((await step().look(operator, kept, setupWords.en)).data.arrived).toBeNull()
  })
})
