/** Owns what becomes of what Discord tells: read, handed over in turn, and counted, so that a restart goes on where all was taken. */
import type { ChannelContext } from '../frame/adapter.ts'
import { createKeeper } from '../frame/keeper.ts'
import { createProgress } from '../frame/progress.ts'
import { createTaking } from '../frame/take-in-turn.ts'
import { saidAfter } from './catch-up.ts'
import type { ChannelDirectory } from './channel-directory.ts'
import type { GatewayParts } from './gateway.ts'
import {
  type DiscordInboundParts,
  type DiscordReading,
  type Interaction,
  readDeletions,
  readInteraction,
  readMessage,
  readPress,
  readUpdate,
} from './inbound.ts'
import type { DiscordCall } from './rest.ts'
import { createSessionCount } from './session-count.ts'
import { type DiscordState, stateOf } from './state.ts'

export interface DiscordListenerParts {
  readonly context: ChannelContext<unknown>
  readonly before: DiscordState
  readonly call: DiscordCall
  readonly directory: ChannelDirectory
  /** Who we are there. */
  readonly self: () => string
  readonly acknowledge: (press: Interaction) => Promise<void>
  readonly pause: (ms: number) => Promise<void>
  readonly connected: () => void
}

export function createListener(
  parts: DiscordListenerParts,
): Pick<GatewayParts, 'began' | 'resumed' | 'told'> {
  const { context, before, call, directory, pause } = parts
  const taking = createTaking(context)
  const count = createSessionCount(before.session)
  const keeper = createKeeper(context, () => stateOf({ session: count.taken(), seen: progress.entries() }))
  const progress = createProgress(before.seen, (one, other) => BigInt(one) > BigInt(other), keeper.changed)

  function remember({ chat, id, isPrivateMessage }: DiscordReading): void {
    if (isPrivateMessage) progress.advance(chat, id)
  }

  async function take(readings: readonly DiscordReading[], seq: number): Promise<void> {
    const isTaken = count.waits(seq)
    await Promise.all(
      readings.map(async (reading) => {
        await taking.give(reading, reading.compose)
        remember(reading)
      }),
    )
    isTaken()
    keeper.changed()
  }

  async function readMissed(chat: string, last: string): Promise<void> {
    for await (const message of saidAfter(chat, last, call, pause)) {
      const reading = readMessage(message, { self: parts.self(), directory })
      const event = await reading?.compose()
      if (!reading || !event) continue
      await taking.now(event)
      remember(reading)
    }
  }

  return {
    began(begun) {
      count.begin(begun)
      keeper.changed()
      parts.connected()
      // It ends with the channel.
      progress.catchUp(taking, readMissed).catch(() => undefined)
    },
    resumed: parts.connected,
    told(type, data, seq) {
      count.told(seq)
      const press = type === 'INTERACTION_CREATE' ? readInteraction(data) : undefined
      // Before it is taken, since Discord waits so shortly; it never rejects.
      if (press) void parts.acknowledge(press)
      const inbound = { self: parts.self(), directory }
      const readings = press ? some(readPress(press)) : read(type, data, inbound)
      // What is not taken stays among what waits.
      if (readings.length > 0) take(readings, seq).catch(() => undefined)
    },
  }
}

const some = (reading: DiscordReading | undefined): readonly DiscordReading[] => (reading ? [reading] : [])

function read(type: string, data: unknown, inbound: DiscordInboundParts): readonly DiscordReading[] {
  switch (type) {
    case 'MESSAGE_CREATE':
      return some(readMessage(data, inbound))
    case 'MESSAGE_UPDATE':
      return some(readUpdate(data, inbound))
    case 'MESSAGE_DELETE':
    case 'MESSAGE_DELETE_BULK':
      return readDeletions(data, inbound)
    default:
      return []
  }
}
