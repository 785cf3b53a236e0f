import { randomUUIDv7 } from 'node:crypto'
import { idFrom, type RunId } from '@countersign/contract'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type ChatDrafts, createChatDrafts } from './chat-drafts.ts'
import type { ChatOfRun } from './chat-of-run.ts'
import { type ChannelBench, openChannelBench } from './testing/channel-bench.ts'

let bench: ChannelBench
let channel: string
let drafts: ChatDrafts
let run: RunId
let own: ChatOfRun
let chats: Map<RunId, ChatOfRun>
let changes: string[]
beforeAll(async () => {
  bench = await openChannelBench()
})
afterAll(() => bench.close())
beforeEach(() => {
  channel = bench.addChannel()
  run = idFrom('run', randomUUIDv7())
  own = { channel: bench.channel(channel), chat: 'chat-op', thread: null, own: true, isPublic: false }
  chats = new Map([[run, own]])
  changes = []
  drafts = createChatDrafts({
    records: bench.records,
    operator: bench.operator,
    outbox: bench.outbox,
    chatOf: (_tx, of) => Promise.resolve(chats.get(of)),
    edit(_channel, message, { text }) {
      changes.push(text)
      return Promise.resolve({ kind: 'sent', message })
    },
    onProblem: (problem) => bench.problems.push(problem),
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  drafts.close()
  vi.useRealTimers()
})

const say = (text: string, attempt = 1) => drafts.take({ run, turn: 1, attempt, kind: 'text', text } as never)
const later = () => vi.advanceTimersByTime(2_600)
const posted = async () => (await bench.letters(channel)).map(({ text }) => text)
async function begun(): Promise<void> {
  say('Once upon')
  later()
  await vi.waitFor(async () => expect(await posted()).toEqual(['Once upon']))
  await bench.deliver(channel)
}

it('shows the operator what is there so far, in one message', async () => {
  await begun()
  say(' a time')
  later()
  await vi.waitFor(() => expect(changes).toEqual(['Once upon a time']))
  expect(await posted()).toHaveLength(1)
})

/** Another run answers, in a chat or in none. */
function runIn(chat?: ChatOfRun): void {
  run = idFrom('run', randomUUIDv7())
  if (chat) chats.set(run, chat)
}

it('shows nothing to anybody else, where nothing can be changed, or of an answer that is there soon', async () => {
  const { manifest } = own.channel
  const unchanging = { ...own.channel, manifest: { ...manifest, can: { ...manifest.can, edit: false } } }
  for (const chat of [{ ...own, own: false }, { ...own, channel: unchanging }, undefined]) {
    runIn(chat)
    say('a secret')
    later()
  }
  runIn(own)
  say('short')
  drafts.over(run)
  later()
  runIn(own)
  await begun()
})

it('shows no more to whoever was put out meanwhile', async () => {
  await begun()
  chats.delete(run)
  say(' a secret')
  later()
  runIn(own)
  say('another')
  later()
  await vi.waitFor(async () => expect(await posted()).toEqual(['Once upon', 'another']))
  expect(changes).toEqual([])
})

it('begins anew when the model does', async () => {
  await begun()
  say('Another beginning', 2)
  later()
  await vi.waitFor(() => expect(changes).toEqual(['Another beginning']))
})
