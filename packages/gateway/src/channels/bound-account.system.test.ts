import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { bindAccount } from './bound-account.ts'
import { type ChannelBench, openChannelBench } from './testing/channel-bench.ts'

let bench: ChannelBench
let channel: string
beforeAll(async () => {
  bench = await openChannelBench()
})
afterAll(() => bench.close())
beforeEach(() => {
  channel = bench.addChannel()
})

const bind = async (id: string, server = 'one') => {
  const identity = (settings: Readonly<Record<string, unknown>>, own: string) =>
    `${own} at ${String(settings['server'])}`
  const { value } = await bench.records.change(bench.operator, (tx) =>
    bindAccount(
      tx,
      { name: channel, kind: 'remembered', settings: { server } },
      { identity },
      { id, name: id },
      () => crypto.randomUUID(),
    ),
  )
  return value
}

it('keeps what there is for the same account, as often as it connects', async () => {
  const first = await bind('bot-1')
  expect(first.changed).toBe(false)
  await bench.letIn(channel, 'op', 'operator')
  expect(await bind('bot-1')).toEqual(first)
  expect(await bench.peer(channel, 'op')).toMatchObject({ state: 'paired', role: 'operator' })
})

it.each([
  ['another account', 'bot-2', 'one'],
  ['the same name at another place', 'bot-1', 'two'],
])('forgets people, chats, and what waits, for %s', async (_what, id, server) => {
  const first = await bind('bot-1')
  await bench.letIn(channel, 'op', 'operator')
  await bench.say(channel, 'op', 'mine')
  const second = await bind(id, server)
  expect(second.changed).toBe(true)
  expect(second.epoch).not.toBe(first.epoch)
  expect(await bench.peer(channel, 'op')).toBeUndefined()
  expect([await bench.inbox(channel), await bench.letters(channel)]).toEqual([[], []])
  // As a stranger they are told a code, and heard by nobody.
  await bench.say(channel, 'op', 'approve K7Q2')
  expect(await bench.peer(channel, 'op')).toMatchObject({ state: 'asking', role: null })
})

it('hears the first message of another account that has an id of the former', async () => {
  const event = () => bench.event('ann', 'hello', { id: 'm-the-same' })
  const hearAs = async (epoch: string) => {
    await bench.letIn(channel, 'ann')
    await bench.intake.take(channel, event())
    await bench.intake.work({ ...bench.channel(channel), epoch })
  }
  await hearAs((await bind('bot-1')).epoch)
  await hearAs((await bind('bot-2')).epoch)
  expect((await bench.inputs(channel)).map(({ text }) => text)).toEqual(['hello', 'hello'])
})
