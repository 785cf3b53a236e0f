import { randomUUIDv7 } from 'node:crypto'
import type { ChatServices } from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createChannelStore } from './channel-store.ts'
import { createChatServices } from './chat-services.ts'
import { changePeer } from './peers.ts'
import { channelDb } from './tables.ts'
import { type ChannelBench, openChannelBench } from './testing/channel-bench.ts'

let bench: ChannelBench
let channel: string
beforeAll(async () => {
  bench = await openChannelBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  channel = bench.addChannel()
  const store = createChannelStore({
    records: bench.records,
    secrets: {
      list: () => Promise.resolve([]),
      store: () => Promise.reject(new Error('it has no secrets')),
      remove: () => Promise.reject(new Error('it has no secrets')),
    },
    secretValue: () => Promise.resolve(undefined),
    kinds,
  })
  const desk = { operator: bench.operator, actor: { kind: 'operator', id: 'desk' } } as const
  await store.store(desk, channel, { kind: 'remembered', settings: {}, secrets: {}, choices: {} })
})

const kinds = {
  all: () => [],
  find: () => bench.channel(channel).manifest,
  broughtAt: () => undefined,
}
const chats = <T>(work: (services: ChatServices) => Promise<T>) =>
  bench.records.change(bench.operator, (tx) => work(createChatServices(randomUUIDv7, kinds)(tx)))
const friend = () => ({ channel, peer: 'friend', chat: 'chat-friend' })
const block = (peer: string) =>
  bench.records.change(bench.operator, (tx) =>
    changePeer(tx, { channel, peer, change: { kind: 'block' } }, { kind: 'operator', id: 'desk' }),
  )
const posted = () =>
  bench.records.read(bench.operator, ({ db }) =>
    channelDb(db)
      .selectFrom('channel_outbox')
      .select(['id', 'chat', 'kind', 'text', 'state'])
      .where('channel', '=', channel)
      .where('kind', '=', 'message')
      .orderBy('position')
      .execute(),
  )

it('names whoever was let in, and nobody who asks or was put out', async () => {
  await bench.letIn(channel, 'friend', 'trusted')
  await bench.letIn(channel, 'gone', 'guest')
  await block('gone')
  const { value } = await chats((services) => services.people())
  const own = value.filter((person) => person.channel === channel)
  expect(own).toMatchObject([{ peer: 'friend', role: 'trusted' }])
})

it('posts what is sent, in pieces where the platform takes no more, with the call', async () => {
  await bench.letIn(channel, 'friend', 'trusted')
  const long = `${'a line of words\n'.repeat(400)}the end`
  const { value: first } = await chats((services) => services.send(friend(), long))
  const rows = await posted()
  expect(rows.length).toBeGreaterThan(1)
  expect(rows[0]).toMatchObject({ id: first, chat: 'chat-friend', kind: 'message', state: 'waiting' })
  const failing = chats(async (services) => {
    await services.send(friend(), 'never')
    throw new Error('the call fails')
  })
  await expect(failing).rejects.toThrow('the call fails')
  expect(await posted()).toEqual(rows)
})

it('writes to nobody who was put out since they were looked up, or is let in elsewhere now', async () => {
  await bench.letIn(channel, 'friend', 'trusted')
  await expect(chats((services) => services.send({ ...friend(), chat: 'chat-of-all' }, 'x'))).rejects.toThrow(
    'was put out meanwhile',
  )
  const late = chats(async (services) => {
    expect(await services.people()).toContainEqual(expect.objectContaining({ channel, peer: 'friend' }))
    await block('friend')
    return services.send(friend(), 'x')
  })
  await expect(late).rejects.toThrow('was put out meanwhile')
  expect(await posted()).toEqual([])
})

it('is found by whoever puts somebody out while it is posted', async () => {
  await bench.letIn(channel, 'friend', 'trusted')
  let blocked: Promise<unknown> = Promise.resolve()
  await chats(async (services) => {
    await services.send(friend(), 'x')
    blocked = block('friend')
  })
  await blocked
  expect(await posted()).toMatchObject([{ text: 'x', state: 'dropped' }])
})

it('refuses a channel that is not there', async () => {
  const other = bench.addChannel()
  await bench.letIn(other, 'friend', 'trusted')
  await expect(chats((services) => services.send({ ...friend(), channel: other }, 'x'))).rejects.toThrow(
    `There is no channel ${other}.`,
  )
})
