import { expect, test, vi } from 'vitest'
import { createChatTurns, type Look } from './chat-turns.ts'

interface Work {
  readonly chat: string
  readonly text: string
}

/** What waits, by chat; the first of each is given to whoever looks, and taken away when it is done. */
function queue(...waiting: Work[]) {
  const done: string[] = []
  let looks = 0
  return {
    waiting,
    done,
    looks: () => looks,
    look(busy: ReadonlySet<string>): Promise<Look<Work>> {
      looks += 1
      const free = waiting.filter(({ chat }) => !busy.has(chat))
      const work = free.filter((one) => free.find(({ chat }) => chat === one.chat) === one)
      return Promise.resolve({ work, next: null })
    },
    finish(work: Work): void {
      waiting.splice(waiting.indexOf(work), 1)
      done.push(work.text)
    },
  }
}

test('each chat keeps its order', async () => {
  const { done, look, finish } = queue(
    { chat: 'a', text: 'a1' },
    { chat: 'b', text: 'b1' },
    { chat: 'a', text: 'a2' },
  )
  await createChatTurns<Work>().work('c', { look, settle: async (work) => finish(work) })
  expect(done.filter((text) => text.startsWith('a'))).toEqual(['a1', 'a2'])
  expect(done.toSorted()).toEqual(['a1', 'a2', 'b1'])
})

test('a chat that takes long keeps no other waiting, also for what comes meanwhile, and is not begun twice', async () => {
  const slow = Promise.withResolvers<void>()
  const turns = createChatTurns<Work>()
  const { waiting, done, look, finish } = queue({ chat: 'slow', text: 's1' }, { chat: 'b', text: 'b1' })
  const parts = {
    look,
    async settle(work: Work) {
      if (work.text === 's1') await slow.promise
      finish(work)
    },
  }
  const first = turns.work('c', parts)
  await vi.waitFor(() => expect(done).toEqual(['b1']))
  waiting.push({ chat: 'slow', text: 's2' }, { chat: 'x', text: 'x1' })
  await turns.work('c', parts)
  expect(done).toEqual(['b1', 'x1'])
  slow.resolve()
  await first
  expect(done).toEqual(['b1', 'x1', 's1', 's2'])
})

test('whoever asks before a look begins is answered by it, and whoever asks during one is not', async () => {
  const turns = createChatTurns<Work>()
  const { waiting, done, looks, look, finish } = queue()
  const reading = Promise.withResolvers<void>()
  const parts = {
    async look(busy: ReadonlySet<string>) {
      const found = await look(busy)
      if (looks() === 1) await reading.promise
      return found
    },
    settle: async (work: Work) => finish(work),
  }
  const first = turns.work('c', parts)
  await vi.waitFor(() => expect(looks()).toBe(1))
  // It was not there when the first look read what waits.
  waiting.push({ chat: 'a', text: 'a1' })
  const second = turns.work('c', parts)
  const third = turns.work('c', parts)
  reading.resolve()
  await Promise.all([first, second, third])
  expect([done, looks()]).toEqual([['a1'], 3])
})

test('what fails is told when the others are done, and can be asked for again', async () => {
  const turns = createChatTurns<Work>()
  const { done, look, finish } = queue({ chat: 'a', text: 'a1' }, { chat: 'b', text: 'b1' })
  let isAway = true
  const parts = {
    look,
    async settle(work: Work) {
      if (work.chat === 'a' && isAway) throw new Error('The database is away.')
      await Promise.resolve()
      finish(work)
    },
  }
  await expect(turns.work('c', parts)).rejects.toThrow('The database is away.')
  expect(done).toEqual(['b1'])
  isAway = false
  await turns.work('c', parts)
  expect(done).toEqual(['b1', 'a1'])
})

test('a look that fails is told, and what is under way is waited for', async () => {
  const turns = createChatTurns<Work>()
  const slow = Promise.withResolvers<void>()
  const { done, look, finish } = queue({ chat: 'slow', text: 's1' }, { chat: 'b', text: 'b1' })
  let looks = 0
  const over = turns.work('c', {
    look(busy) {
      looks += 1
      return looks === 2 ? Promise.reject(new Error('The database is away.')) : look(busy)
    },
    async settle(work) {
      if (work.chat === 'slow') await slow.promise
      finish(work)
    },
  })
  await vi.waitFor(() => expect(looks).toBe(2))
  slow.resolve()
  await expect(over).rejects.toThrow('The database is away.')
  expect(done).toEqual(['b1', 's1'])
})

test('what comes later is told after each look', async () => {
  const at = new Date()
  const told: Date[] = []
  const next = await createChatTurns<Work>().work('c', {
    look: () => Promise.resolve({ work: [], next: at }),
    settle: () => Promise.resolve(),
    later: (when) => told.push(when),
  })
  expect([next, told]).toEqual([at, [at]])
})
