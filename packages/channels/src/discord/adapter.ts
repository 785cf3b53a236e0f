/** The way to Discord: listens at its gateway, speaks through its REST API. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChannelAdapter, RejectedError } from '../frame/adapter.ts'
import { createChannelDirectory } from './channel-directory.ts'
import { createFileFetch } from './files.ts'
import { startGateway } from './gateway.ts'
import { createIdentity } from './identity.ts'
import { createInteractions } from './interactions.ts'
import { createListener } from './listener.ts'
import { type DiscordSettings, discordManifest } from './manifest.ts'
import { createDiscordOutbound } from './outbound.ts'
import { createDiscordCall, isDiscords } from './rest.ts'
import { readState } from './state.ts'

const discordApi = 'https://discord.com/api/v10'

export const discordAdapter: ChannelAdapter<DiscordSettings> = {
  manifest: discordManifest,
  async open(context) {
    const { settings, secrets, signal, disconnected } = context
    const { apiUrl = discordApi } = settings
    const { botToken: token = '' } = secrets
    const isTheirs = (url: string) => isDiscords(url, apiUrl)
    const pause = (ms: number) => sleep(ms, undefined, { signal })
    const call = createDiscordCall({ apiUrl, token, signal })
    const { self, locate, doubt } = createIdentity(call, isTheirs)
    const first = await locate()
    if (first.rejected !== undefined) throw new RejectedError(first.rejected)
    const before = readState(context.state)
    const interactions = createInteractions(call)
    const listener = createListener({
      context,
      before,
      call,
      directory: createChannelDirectory(call, pause),
      self: () => self()?.id ?? '',
      acknowledge: interactions.acknowledge,
      pause,
      connected() {
        const me = self()
        if (me) context.connected({ id: me.id, name: me.name.slice(0, 300) })
      },
    })
    const gateway = startGateway(
      { ...listener, token, locate, isTheirs, disconnected, signal },
      first,
      before.session,
    )
    function onUnaccepted(problem: string): void {
      doubt()
      gateway.renew(problem)
    }
    return {
      ...createDiscordOutbound({ call, pause, onUnaccepted }),
      pressed: interactions.pressed,
      fetch: createFileFetch({ call, isTheirs, signal }),
      close: () => gateway.ended,
    }
  },
}
