/** Owns sending a test line to a channel and waiting until somebody knows what became of it. */
import { type ChannelTestOutcome, CountersignError, channelTestOutcome, testsIn } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import { words } from '../../words/channels.tsx'

const lookEveryMs = 500
const mostLooks = 60

export type TestingClient = Pick<Client, 'deliveries' | 'testChannel'>

/** Rejects where there is no chat to send to. `waiting` where the platform takes its time. */
export async function testedChannel(
  client: TestingClient,
  name: string,
  wait: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<ChannelTestOutcome> {
  const before = testsIn(await client.deliveries(name))
  const { chats } = await client.testChannel(name)
  if (chats === 0) throw new CountersignError('usage', words.test.nobody)
  for (let looks = 0; ; looks += 1) {
    const outcome = channelTestOutcome(await client.deliveries(name), before)
    if (outcome.kind !== 'waiting' || looks >= mostLooks) return outcome
    await wait(lookEveryMs)
  }
}
