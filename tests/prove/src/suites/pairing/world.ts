/** Owns the place that is attacked: channels with the operator, a guest, a request that waits, and who knows what. */

import { changePeer } from '../../../../../packages/gateway/src/channels/peers.ts'
import {
  type ChannelBench,
  openChannelBench,
} from '../../../../../packages/gateway/src/channels/testing/channel-bench.ts'

export interface World {
  readonly bench: ChannelBench
  /** Where the operator and a guest are let in, and a group is heard. */
  readonly home: string
  /** Where nobody is. */
  readonly elsewhere: string
  /** Where the platform shows nobody's name. */
  readonly open: string
  readonly names: readonly string[]
  /** What the model was asked, in order. */
  readonly asked: readonly string[]
  /** Codes of requests, and the messages that show them; all that strangers could have seen. */
  readonly cards: { readonly code: string; readonly message: string }[]
  putOut(channel: string, peer: string, kind: 'block' | 'remove'): Promise<void>
  /** How often the operator asked for something at their desk. */
  wishes(): number
  /** Something waits for the operator, and its card stands in their chat. */
  waitForOperator(): Promise<void>
  close(): Promise<void>
}

export const group = { id: 'house', kind: 'group', title: 'The house' } as const
const wish = 'fetch it'

export async function openWorld(): Promise<World> {
  const asked: string[] = []
  const cards: World['cards'] = []
  const bench = await openChannelBench({
    replies({ messages }) {
      const last = messages.at(-1)
      if (last?.role === 'tool') return { text: 'Done.', money }
      const words = last?.role === 'user' ? last.text : ''
      asked.push(words)
      const isWish = words.startsWith(wish)
      return isWish
        ? { calls: [{ name: 'fetch', args: { n: asked.length } }], money }
        : { text: 'Yes.', money }
    },
  })
  const home = bench.addChannel({ choices: { groups: [group.id] } })
  const elsewhere = bench.addChannel()
  const open = bench.addChannel({ manifest: { proves: 'nothing' }, choices: { groups: [group.id] } })
  const answers = await bench.openAnswers()
  const world: World = {
    bench,
    home,
    elsewhere,
    open,
    names: [home, elsewhere, open],
    asked,
    cards,
    async putOut(channel, peer, kind) {
      const actor = { kind: 'operator', id: 'desk' } as const
      await bench.records.change(bench.operator, (tx) =>
        changePeer(tx, { channel, peer, change: { kind } }, actor),
      )
    },
    wishes: () => cards.length,
    async waitForOperator() {
      await bench.test.say(`${wish} ${cards.length}`)
      const pending = await bench.pending()
      for (;;) {
        await bench.deliver(home)
        const row = pending.find(({ code }) => !cards.some((card) => card.code === code))
        const card = bench.sent.find(
          ({ text }) => row !== undefined && text.includes(`Approval ${row.code} `),
        )
        if (row && card) {
          cards.push({ code: row.code, message: card.message })
          return
        }
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    async close() {
      await answers.close()
      await bench.close()
    },
  }
  await bench.letIn(home, 'op', 'operator')
  await bench.letIn(home, 'friend', 'guest', { messagesPerHour: 1_000 })
  return world
}

/** So that every call stands in the books. */
const money = { worst: 10, cost: 1 }
