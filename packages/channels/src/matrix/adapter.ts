/** Owns the way to Matrix: as a user of the operator's homeserver, over its client-server interface. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChannelAdapter, RejectedError } from '../frame/adapter.ts'
import { pauseAfter } from '../frame/take-in-turn.ts'
import { fetchFile } from './files.ts'
import { createHomeserver } from './homeserver.ts'
import { type MatrixSettings, matrixManifest, RoomId } from './manifest.ts'
import { sendMessage } from './send.ts'
import { openSession, type Session } from './session.ts'
import { syncOnce } from './sync.ts'

const firstPauseMs = 250
const longestPauseMs = 30_000
const typingMs = 30_000

export const matrixAdapter: ChannelAdapter<MatrixSettings> = {
  manifest: matrixManifest,
  async open(context) {
    const { secrets, settings } = context
    const closing = new AbortController()
    const signal = AbortSignal.any([context.signal, closing.signal])
    const homeserver = createHomeserver(settings.homeserver, secrets['accessToken'] ?? '', signal)
    let session: Session | undefined

    function tellAway(error: unknown): void {
      if (!signal.aborted)
        context.disconnected((error instanceof Error ? error.message : String(error)).slice(0, 1_000))
    }

    async function goOn(): Promise<void> {
      let isConnected = false
      for (let failures = 0; !signal.aborted; ) {
        try {
          session ??= await openSession(context, homeserver)
          await syncOnce(session, settings.rooms, signal, !isConnected)
          failures = 0
          if (!isConnected && !signal.aborted) context.connected({ id: session.user, name: session.user })
          isConnected = true
        } catch (error) {
          isConnected = false
          tellAway(error)
          const pause = pauseAfter(failures, firstPauseMs, longestPauseMs)
          failures += 1
          await sleep(pause, undefined, { signal }).catch(() => undefined)
        }
      }
    }

    try {
      session = await openSession(context, homeserver)
    } catch (error) {
      if (error instanceof RejectedError) throw error
      tellAway(error)
    }
    const going = goOn()

    return {
      send: (message) => sendMessage(session, message),
      edit: (message, change) => sendMessage(session, change, message),
      async typing(chat) {
        if (!session || !RoomId.safeParse(chat).success) return
        const body = { typing: true, timeout: typingMs }
        await homeserver.ask('PUT', ['client', 'v3', 'rooms', chat, 'typing', session.user], { body })
      },
      fetch: (ref, most) => fetchFile(homeserver, ref, most),
      async close() {
        closing.abort()
        await going
        session?.encryption?.close()
      },
    }
  },
}
