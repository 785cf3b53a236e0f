import type { AskLedger, LedgerEntryView, LedgerFrame, LedgerPage } from '@countersign/contract'
import { expect, test } from 'vitest'
import { createLedgerFollower, ledgerWindow } from './ledger-follower.ts'

/** A ledger of as many entries as it is told, and a client that takes a frame when it is told to. */
function played(size: number, asked: { after: number; q?: string }) {
  const state = { size, reads: [] as AskLedger[], frames: [] as LedgerFrame[], failed: [] as unknown[] }
  const untaken: (() => void)[] = []
  let slow = false
  const page = async (ask: AskLedger): Promise<LedgerPage> => {
    state.reads.push(ask)
    if (ask.q === 'broken') throw new Error('not now')
    const numbers = Array.from({ length: state.size }, (_, index) => index + 1).filter(
      (seq) => seq > (ask.after ?? 0) && seq < (ask.before ?? 0) && (ask.q === '' || seq % 2 === 0),
    )
    const entries = numbers.toReversed().map((seq) => ({ seq }) as LedgerEntryView)
    return { entries, next: null, size: state.size, looked: numbers.length }
  }
  const follower = createLedgerFollower(
    { id: 'a', q: '', ...asked },
    {
      page,
      send: (frame) => {
        state.frames.push(frame)
        return slow ? new Promise((resolve) => untaken.push(resolve)) : Promise.resolve()
      },
      fail: (error) => state.failed.push(error),
    },
  )
  const settle = async () => {
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
  }
  return {
    state,
    follower,
    settle,
    beSlow: () => {
      slow = true
    },
    takeOne: () => untaken.shift()?.(),
    seen: () => state.frames.flatMap(({ entries }) => entries.map(({ seq }) => seq)),
  }
}

const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

test('brings what is missing in order, a window at a time, and then what comes, each once', async () => {
  const { state, follower, settle, seen } = played(250, { after: 20 })
  follower.wake()
  follower.wake()
  await settle()
  expect(seen()).toEqual(upTo(21, 250))
  expect(state.frames.map(({ after }) => after)).toEqual([120, 220, 250])
  expect(Math.max(...state.frames.map(({ entries }) => entries.length))).toBe(ledgerWindow)
  state.size = 252
  follower.wake()
  await settle()
  expect(seen()).toEqual(upTo(21, 252))
})

test('reads nothing until it is woken, and nothing again when there is nothing', async () => {
  const { state, follower, settle } = played(10, { after: 10 })
  await settle()
  expect(state.reads).toEqual([])
  follower.wake()
  await settle()
  expect(state.reads).toHaveLength(1)
  expect(state.frames).toEqual([])
})

test('says how far it came where nothing matched, so that the client goes on from there', async () => {
  const { state, follower, settle } = played(3, { after: 2, q: 'even' })
  follower.wake()
  await settle()
  expect(state.frames).toEqual([{ type: 'ledger', id: 'a', entries: [], after: 3, size: 3 }])
})

test('reads no further than a client that does not take it, however much is written', async () => {
  const { state, follower, settle, beSlow, takeOne, seen } = played(1_000, { after: 0 })
  beSlow()
  follower.wake()
  await settle()
  for (let more = 0; more < 20; more += 1) {
    state.size += 100
    follower.wake()
    await settle()
  }
  expect(state.frames).toHaveLength(1)
  expect(state.reads).toHaveLength(1)
  for (let taken = 0; taken < 30; taken += 1) {
    takeOne()
    await settle()
  }
  expect(seen()).toEqual(upTo(1, 3_000))
})

test('stops for good, and says that it cannot go on', async () => {
  const stopped = played(10, { after: 0 })
  stopped.follower.stop()
  stopped.follower.wake()
  await stopped.settle()
  expect(stopped.state.reads).toEqual([])
  const broken = played(10, { after: 0, q: 'broken' })
  broken.follower.wake()
  await broken.settle()
  broken.follower.wake()
  await broken.settle()
  expect(broken.state.failed).toHaveLength(1)
})
