/** Owns what becomes of what Slack tells: read, handed over in turn, and remembered as where to go on. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelContext } from '../frame/adapter.ts'
import { createKeeper } from '../frame/keeper.ts'
import { createProgress } from '../frame/progress.ts'
import { createTaking } from '../frame/take-in-turn.ts'
import { missedIn, readState, stateOf } from './catch-up.ts'
import { createSlackDirectory } from './directory.ts'
import type { SlackSelf } from './identity.ts'
import { readEventsApi, readMessage, type SlackReading, tsOf } from './inbound.ts'
import { readInteractive, readSlashCommand } from './interactions.ts'
import type { Envelope, SocketModeParts } from './socket-mode.ts'
import type { SlackCall } from './web-api.ts'

export interface SlackListenerParts {
  readonly context: ChannelContext<unknown>
  readonly asBot: SlackCall
  readonly self: () => SlackSelf | undefined
}

export function createListener({
  context,
  asBot,
  self,
}: SlackListenerParts): Pick<SocketModeParts, 'take' | 'connected'> {
  const { signal } = context
  const directory = createSlackDirectory(asBot)
  const taking = createTaking(context)
  const keeper = createKeeper(context, () => stateOf(progress.entries()))
  const progress = createProgress(
    readState(context.state),
    (one, other) => Number(one) > Number(other),
    keeper.changed,
  )

  function read({ type, payload }: Envelope): SlackReading | undefined {
    const me = self()
    if (!me) return undefined
    const parts = { self: me, directory }
    if (type === 'events_api') return readEventsApi(payload, parts)
    if (type === 'interactive') return readInteractive(payload, parts)
    return type === 'slash_commands' ? readSlashCommand(payload, parts) : undefined
  }

  /** Only direct messages are caught up with: in a channel, people see that nobody answers. */
  function remember({ chat, id, isMessage }: SlackReading): void {
    if (isMessage && chat.startsWith('D')) progress.advance(chat, tsOf(id))
  }

  const pause = (ms: number) => sleep(ms, undefined, { signal })

  async function readMissed(chat: string, last: string): Promise<void> {
    for (const message of await missedIn(chat, last, { asBot, pause })) {
      const me = self()
      const reading = me && readMessage(message, chat, me.team, { self: me, directory })
      const event = await reading?.compose()
      if (!reading || !event) continue
      await taking.now(event)
      remember(reading)
    }
  }

  return {
    async take(envelope) {
      const reading = read(envelope)
      if (!reading) return
      await taking.give(reading, reading.compose)
      remember(reading)
    },
    connected(hasMissed) {
      const me = self()
      if (me) context.connected({ id: `${me.team}:${me.user}`, name: me.name.slice(0, 300) })
      // It ends with the channel.
      if (hasMissed) progress.catchUp(taking, readMissed).catch(() => undefined)
    },
  }
}
