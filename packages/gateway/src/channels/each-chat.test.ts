import { expect, test, vi } from 'vitest'
import { inEachChat, type Look, type News, noNews } from './each-chat.ts'

interface Work {
  readonly chat: string
  readonly text: string
}

/** What waits, by chat; the first of each is given to whoever looks, and taken away when it is done. */
function queue(...waiting: Work[]) {
  const done: string[] = []
  const look = (busy: ReadonlySet<string>): Promise<Look<Work>> => {
    const free = waiting.filter(({ chat }) => !busy.has(chat))
    const work = free.filter((one) => free.find(({ chat }) => chat === one.chat) === one)
    return Promise.resolve({ work, next: null })
  }
  const finish = (work: Work): void => {
    waiting.splice(waiting.indexOf(work), 1)
    done.push(work.text)
  }
  return { waiting, done, look, finish }
}

/** As whoever tells it writes it: a new promise for each look. */
function createNews(): News & { tell(): void } {
  let told = Promise.withResolvers<void>()
  return {
    seen() {
      told = Promise.withResolvers()
    },
    told: () => told.promise,
    tell: () => told.resolve(),
  }
}

test('each chat keeps its order', async () => {
  const { done, look, finish } = queue(
    { chat: 'a', text: 'a1' },
    { chat: 'b', text: 'b1' },
    { chat: 'a', text: 'a2' },
  )
  await inEachChat({ look, settle: async (work) => finish(work), news: noNews })
  expect(done.filter((text) => text.startsWith('a'))).toEqual(['a1', 'a2'])
  expect(done.toSorted()).toEqual(['a1', 'a2', 'b1'])
})

test('a chat that takes long keeps no other waiting, not even for what comes meanwhile', async () => {
  const slow = Promise.withResolvers<void>()
  const news = createNews()
  const { waiting, done, look, finish } = queue({ chat: 'slow', text: 's1' }, { chat: 'b', text: 'b1' })
  const over = inEachChat({
    look,
    news,
    async settle(work) {
      if (work.chat === 'slow') await slow.promise
      finish(work)
    },
  })
  await vi.waitFor(() => expect(done).toEqual(['b1']))
  waiting.push({ chat: 'slow', text: 's2' }, { chat: 'c', text: 'c1' })
  news.tell()
  await vi.waitFor(() => expect(done).toEqual(['b1', 'c1']))
  slow.resolve()
  await over
  expect(done).toEqual(['b1', 'c1', 's1', 's2'])
})

test('news that comes during a look is looked at', async () => {
  const slow = Promise.withResolvers<void>()
  const news = createNews()
  const { waiting, done, look, finish } = queue({ chat: 'slow', text: 's1' })
  let looks = 0
  const over = inEachChat({
    news,
    async look(busy) {
      looks += 1
      const found = await look(busy)
      // It was not there when the second look read what waits.
      if (looks === 2) {
        waiting.push({ chat: 'b', text: 'b1' })
        news.tell()
      }
      return found
    },
    async settle(work) {
      if (work.chat === 'slow') await slow.promise
      finish(work)
    },
  })
  await vi.waitFor(() => expect(looks).toBe(1))
  news.tell()
  await vi.waitFor(() => expect(done).toEqual(['b1']))
  slow.resolve()
  await over
})

test('what fails ends it when the others are done, and nothing more is begun', async () => {
  const { waiting, done, look, finish } = queue({ chat: 'a', text: 'a1' }, { chat: 'b', text: 'b1' })
  waiting.push({ chat: 'b', text: 'b2' })
  const over = inEachChat({
    look,
    news: noNews,
    async settle(work) {
      if (work.chat === 'a') throw new Error('The database is away.')
      await Promise.resolve()
      finish(work)
    },
  })
  await expect(over).rejects.toThrow('The database is away.')
  expect(done).toEqual(['b1'])
})

test('what is due later is looked at in its time, though another chat takes long', async () => {
  const slow = Promise.withResolvers<void>()
  const { waiting, done, look, finish } = queue({ chat: 'slow', text: 's1' })
  let looks = 0
  const over = inEachChat({
    news: noNews,
    async look(busy) {
      looks += 1
      if (looks === 2) waiting.push({ chat: 'b', text: 'b1' })
      return { ...(await look(busy)), next: looks === 1 ? new Date() : null }
    },
    async settle(work) {
      if (work.chat === 'slow') await slow.promise
      finish(work)
    },
  })
  await vi.waitFor(() => expect(done).toEqual(['b1']))
  slow.resolve()
  await over
})
