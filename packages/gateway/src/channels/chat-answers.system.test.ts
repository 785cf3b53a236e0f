import { operatorLabel } from '@countersign/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ChatAnswers, progress } from './chat-answers.ts'
import { changePeer } from './peers.ts'
import { channelDb } from './tables.ts'
import { type ChannelBench, openChannelBench } from './testing/channel-bench.ts'

let bench: ChannelBench
let channel: string
let answers: ChatAnswers | undefined
/** Held back while a test looks at what happens meanwhile. */
let gate: Promise<void>
let calls = 0
beforeAll(async () => {
  bench = await openChannelBench({
    async replies({ messages }) {
      const last = messages.at(-1)
      calls += 1
      if (last?.role === 'user' && last.text.startsWith('please fetch'))
        return { calls: [{ name: 'fetch', args: { n: calls } }] }
      await gate
      return { text: last?.role === 'user' ? `You said: ${last.text}` : 'Done.' }
    },
  })
})
afterAll(() => bench.close())
beforeEach(async () => {
  gate = Promise.resolve()
  channel = bench.addChannel()
  await bench.letIn(channel, 'op', 'operator')
  await bench.letIn(channel, 'ann', 'trusted')
  answers = await bench.openAnswers()
})
afterEach(async () => {
  await answers?.close()
  expect(bench.problems.splice(0)).toEqual([])
})

const group = { id: 'g1', kind: 'group', title: 'Group' } as const
const replies = async () => (await bench.letters(channel)).filter(({ kind }) => kind === 'reply')
const saysOf = async () => (await replies()).map(({ text }) => text)
const caughtUp = () =>
  expect
    .poll(async () => {
      const head = await bench.test.kernel.stream.head(bench.operator)
      const told = await bench.test.kernel.stream.since(bench.operator, await reached(), 1_000)
      return head >= 0 && told.every(({ body }) => body.type !== 'turn.replied' && body.type !== 'run.ended')
    })
    .toBe(true)
async function reached(): Promise<number> {
  const row = await bench.records.read(bench.operator, ({ db }) =>
    channelDb(db)
      .selectFrom('channel_states')
      .select('state')
      .where('channel', '=', progress)
      .executeTakeFirstOrThrow(),
  )
  return Number(row.state)
}
async function goBackTo(seq: number): Promise<void> {
  await bench.records.change(bench.operator, ({ db }) =>
    channelDb(db)
      .updateTable('channel_states')
      .set({ state: String(seq) })
      .where('channel', '=', progress)
      .execute(),
  )
}
async function restart(between: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
  await answers?.close()
  await between()
  answers = await bench.openAnswers()
}
const change = (peer: string, kind: 'block' | 'remove') =>
  bench.records.change(bench.operator, (tx) =>
    changePeer(tx, { channel, peer, change: { kind } }, { kind: 'operator', id: 'desk' }),
  )
/** What the run of a chat knows is the operator's own. */
const makePrivate = () =>
  bench.query(
    sql`update runs set label = ${JSON.stringify({ ...operatorLabel, confidentiality: 'private' })}`,
  )

describe('an answer', () => {
  it('goes to the chat that asked, once, however often the log is read', async () => {
    const before = await reached()
    await bench.say(channel, 'ann', 'one')
    await expect.poll(saysOf).toHaveLength(1)
    await restart(() => goBackTo(before))
    await caughtUp()
    await bench.deliver(channel)
    expect(bench.sentTo(channel, 'chat-ann').filter((text) => text.startsWith('You said'))).toHaveLength(1)
  })

  it('is told as it was heard, without a look at the log', async () => {
    await bench.say(channel, 'ann', 'one')
    await expect.poll(saysOf).toHaveLength(1)
    const since = vi.spyOn(bench.test.kernel.stream, 'since')
    await bench.say(channel, 'ann', 'two')
    await bench.say(channel, 'op', 'three')
    await expect.poll(saysOf).toHaveLength(3)
    expect(since).not.toHaveBeenCalled()
    since.mockRestore()
  })

  it('is not lost and not told twice when the process dies while it is written', async () => {
    await answers?.close()
    await bench.say(channel, 'op', 'one')
    await bench.quiet()
    let isDying = true
    answers = await bench.openAnswers(async (tx, letter) => {
      await bench.outbox.post(tx, letter)
      if (isDying) throw new Error('the process died')
    })
    await expect.poll(() => bench.problems.splice(0).length).toBeGreaterThan(0)
    expect(await replies()).toEqual([])
    isDying = false
    await restart()
    await expect.poll(saysOf).toHaveLength(1)
  })

  it('tells of what happened while nobody followed, and not of what was before there were channels', async () => {
    await answers?.close()
    await bench.say(channel, 'op', 'meanwhile')
    await bench.quiet()
    await restart()
    await expect.poll(saysOf).toEqual(['You said: meanwhile'])
    await restart(() =>
      bench.records.change(bench.operator, ({ db }) =>
        channelDb(db).deleteFrom('channel_states').where('channel', '=', progress).execute(),
      ),
    )
    await caughtUp()
    expect(await replies()).toHaveLength(1)
  })

  it('of what was asked at the desk goes to no chat', async () => {
    await bench.test.say('something of mine')
    await bench.quiet()
    await caughtUp()
    expect(await replies()).toEqual([])
  })

  it.each([
    ['ann', true],
    ['op', false],
  ] as const)('with something private in it, for %s: is held %s', async (person, isHeld) => {
    await answers?.close()
    await bench.say(channel, person, 'one')
    await bench.quiet()
    await makePrivate()
    await restart()
    await expect
      .poll(async () => (await replies()).map(({ state }) => state))
      .toEqual([isHeld ? 'held' : 'waiting'])
    await bench.deliver(channel)
    expect(bench.sentTo(channel, `chat-${person}`).includes(`You said: one`)).toBe(!isHeld)
  })

  it('for the operator in a group is held too, since others read it', async () => {
    bench.choose(channel, { groups: ['g1'] })
    await answers?.close()
    await bench.say(channel, 'op', 'one', { chat: group })
    await bench.quiet()
    await makePrivate()
    await restart()
    await expect.poll(async () => (await replies()).map(({ state }) => state)).toEqual(['held'])
  })

  it('for the operator in another private chat is held too, since whoever made it may let others read', async () => {
    await answers?.close()
    await bench.say(channel, 'op', 'one', { chat: { id: 'room of a stranger', kind: 'private', title: '' } })
    await bench.quiet()
    expect((await bench.inputs(channel)).at(-1)?.work).toMatchObject({ agent: 'reception' })
    await makePrivate()
    await restart()
    await expect.poll(async () => (await replies()).map(({ state }) => state)).toEqual(['held'])
  })

  it.each(['block', 'remove'] as const)(
    'is not told to somebody who was put out meanwhile: %s',
    async (kind) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      bench.choose(channel, { groups: ['g1'] })
      await bench.say(channel, 'ann', 'one')
      await bench.say(channel, 'ann', 'two', { chat: group })
      await change('ann', kind)
      resolve()
      await bench.quiet()
      await caughtUp()
      expect(await replies()).toEqual([])
    },
  )

  it('is not told to a group that is off the list', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    bench.choose(channel, { groups: ['g1'] })
    await bench.say(channel, 'ann', 'one', { chat: group })
    bench.choose(channel, { groups: [] })
    resolve()
    await bench.quiet()
    await caughtUp()
    expect(await replies()).toEqual([])
  })
})

describe('a request', () => {
  const cards = async () => (await bench.letters(channel)).filter(({ kind }) => kind === 'card')
  async function asked(): Promise<string> {
    const before = (await cards()).length
    await bench.test.say('please fetch')
    await expect.poll(async () => (await cards()).length).toBe(before + 1)
    return (await cards()).at(-1)?.about ?? ''
  }

  it('is shown to the operator in their own chat, and to nobody else', async () => {
    bench.choose(channel, { groups: ['g1'] })
    await bench.say(channel, 'op', 'Hello, all', { chat: group })
    await asked()
    expect((await cards()).map(({ chat }) => chat)).toEqual(['chat-op'])
    bench.choose(channel, { approvals: false })
    await bench.test.say('please fetch')
    await bench.quiet()
    await caughtUp()
    expect(await cards()).toHaveLength(1)
  })

  it('that was decided elsewhere says so in the same message', async () => {
    const approval = await asked()
    await bench.deliver(channel)
    const card = bench.sent.at(-1)
    await bench.test.approve(approval)
    await expect
      .poll(async () => (await bench.letters(channel)).some(({ kind }) => kind === 'change'))
      .toBe(true)
    await bench.deliver(channel)
    expect(bench.sent.at(-1)).toMatchObject({ changes: card?.message, chat: 'chat-op' })
    expect(bench.sent.at(-1)?.text).toMatch(/→ \w+: approved by desk$/)
    expect(bench.sent.at(-1)?.text.startsWith(card?.text ?? '?')).toBe(true)
  })

  it('says nothing of its end to whoever is the operator no longer', async () => {
    const approval = await asked()
    await bench.deliver(channel)
    await change('op', 'remove')
    await bench.test.approve(approval)
    await bench.quiet()
    await caughtUp()
    expect((await bench.letters(channel)).filter(({ kind }) => kind === 'change')).toEqual([])
  })

  it('that was decided before it was sent is not sent', async () => {
    const approval = await asked()
    await bench.test.approve(approval)
    await expect.poll(async () => (await cards()).map(({ state }) => state)).toEqual(['dropped'])
    await bench.deliver(channel)
    expect(bench.sentTo(channel, 'chat-op')).toHaveLength(1)
  })
})

describe('a notice', () => {
  const notices = async () =>
    (await bench.letters(channel))
      .filter(({ kind }) => kind === 'notice')
      .map(({ chat, text }) => [chat, text])
  const tell = (text: string) =>
    bench.records.change(bench.operator, async (tx) => tx.emit({ type: 'notice', about: 'channels', text }))

  it('is told to the operator alone, where they want it', async () => {
    await tell('Something\u202e happened.')
    await expect.poll(notices).toHaveLength(1)
    expect((await notices())[0]?.[0]).toBe('chat-op')
    expect((await notices())[0]?.[1]).not.toContain('\u202e')
    bench.choose(channel, { notices: false })
    await tell('Something else.')
    await bench.say(channel, 'op', 'one')
    await expect.poll(saysOf).toHaveLength(1)
    expect(await notices()).toHaveLength(1)
  })
})
