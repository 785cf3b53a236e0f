/** Owns waiting until a platform has said whether it takes what a channel was given. */
import { type ChannelView, CountersignError } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import { words } from '../../words/channels.tsx'

const lookEveryMs = 500
const mostLooks = 30

/** Rejects with what a person has to change. A platform that does not answer in time may still do so. */
export async function settledChannel(client: Client, name: string): Promise<ChannelView | undefined> {
  for (let looks = 0; ; looks += 1) {
    const channel = (await client.channels()).find((each) => each.name === name)
    if (channel?.state === 'rejected')
      throw new CountersignError('usage', channel.problem ?? words.form.rejected)
    if (channel?.state !== 'connecting' || looks >= mostLooks) return channel
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}
