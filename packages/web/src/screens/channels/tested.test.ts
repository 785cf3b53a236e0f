import type { DeliveryView } from '@countersign/contract'
import { expect, test } from 'vitest'
import { testedChannel } from './tested.ts'

const line = (id: string, state: DeliveryView['state']): DeliveryView => ({
  id,
  state,
  channel: 'chat',
  chat: '1',
  kind: 'test',
  text: '',
  attempts: 1,
  problem: null,
  at: '2026-11-19T00:00:00.000Z',
  sentAt: null,
})

/** A platform that says what became of the line a look later each time. */
function platform(states: readonly DeliveryView['state'][], chats = 1) {
  const left = [...states]
  let isSent = false
  let waited = 0
  return {
    client: {
      testChannel: async () => {
        isSent = true
        return { chats }
      },
      deliveries: async () =>
        isSent ? [line('dl_2', left.shift() ?? 'waiting'), line('dl_1', 'sent')] : [line('dl_1', 'sent')],
    },
    wait: async () => {
      waited += 1
    },
    waited: () => waited,
  }
}

test('waits until the line was sent, and takes no earlier one for it', async () => {
  const there = platform(['waiting', 'sending', 'sent'])
  expect(await testedChannel(there.client, 'chat', there.wait)).toEqual({ kind: 'sent' })
  expect(there.waited()).toBe(2)
})

test('says at once what the platform refused', async () => {
  const there = platform(['refused'])
  expect((await testedChannel(there.client, 'chat', there.wait)).kind).toBe('failed')
  expect(there.waited()).toBe(0)
})

test('gives up waiting, and says that it is still on its way', async () => {
  const there = platform([])
  expect(await testedChannel(there.client, 'chat', there.wait)).toEqual({ kind: 'waiting' })
})

test('nobody was let in, so nothing is waited for', async () => {
  const there = platform([], 0)
  await expect(testedChannel(there.client, 'chat', there.wait)).rejects.toMatchObject({ code: 'usage' })
})
