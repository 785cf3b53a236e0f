/** Owns what channels of servers are called and which of them are threads of which. It remembers a bounded number. */
import { z } from 'zod'
import { pauseAfter } from '../frame/take-in-turn.ts'
import type { DiscordCall } from './rest.ts'

export interface KnownChannel {
  readonly name: string
  /** Of a thread, the channel that it is in. */
  readonly parent: string | null
}

export interface ChannelDirectory {
  /** Waits until Discord says it. Where Discord refuses to, it is a channel without a name. */
  channel(id: string): Promise<KnownChannel>
}

const most = 2_000
const threadTypes = [10, 11, 12]

const Channel = z.looseObject({
  type: z.int().optional(),
  name: z.string().nullish(),
  parent_id: z.string().max(30).nullish(),
})

export function readChannel(data: unknown, id: string): KnownChannel {
  const channel = Channel.safeParse(data).data
  const isThread = threadTypes.includes(channel?.type ?? 0)
  return { name: channel?.name ? `#${channel.name}` : id, parent: (isThread && channel?.parent_id) || null }
}

export function createChannelDirectory(
  call: DiscordCall,
  pause: (ms: number) => Promise<void>,
): ChannelDirectory {
  const known = new Map<string, KnownChannel>()
  return {
    async channel(id) {
      for (let failures = 0; ; failures += 1) {
        const before = known.get(id)
        if (before) return before
        const answer = await call('GET', `/channels/${id}`)
        if (answer.kind === 'later' || answer.kind === 'unknown') {
          const asked = answer.kind === 'later' ? answer.afterMs : null
          await pause(asked ?? pauseAfter(failures, 250, 30_000))
          continue
        }
        const channel = readChannel(answer.kind === 'ok' ? answer.data : undefined, id)
        const [oldest] = known.keys()
        if (known.size >= most && oldest !== undefined) known.delete(oldest)
        known.set(id, channel)
        return channel
      }
    },
  }
}
