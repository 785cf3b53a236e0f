/**
 * Owns notices through ntfy. A chat is a topic. They are published as JSON, so that no text can become a header, and
 * without Markdown: a picture in it would be fetched by whoever reads.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type ChannelAdapter, type ChannelContext, RejectedError } from '../frame/adapter.ts'
import { plainTextOf } from '../frame/plain-text.ts'
import type { OutboundMessage, SendResult } from '../frame/protocol.ts'
import { pauseAfter } from '../frame/take-in-turn.ts'
import { jsonIn, retryAfterMs, type WebCallResult, webCall } from '../frame/web-call.ts'
import { type NtfySettings, NtfyTopic, ntfyManifest } from './manifest.ts'

export const ntfyAdapter: ChannelAdapter<NtfySettings> = {
  manifest: ntfyManifest,
  async open(context) {
    const server = ntfyServer(context)
    const closing = new AbortController()
    const signal = AbortSignal.any([context.signal, closing.signal])
    let watching: Promise<void> | undefined

    const first = await server.look(signal)
    if (first.kind === 'rejected') throw new RejectedError(first.problem)
    tell(first)
    if (first.kind === 'away') watch()

    function tell(seen: Look): void {
      if (signal.aborted) return
      if (seen.kind === 'up') context.connected(server.account)
      else context.disconnected(seen.problem)
    }

    /** Until the server is there again. */
    function watch(): void {
      watching ??= (async () => {
        for (let tries = 0; !signal.aborted; tries += 1) {
          await sleep(pauseAfter(tries, 500, 60_000), undefined, { signal }).catch(() => undefined)
          const seen = await server.look(signal)
          tell(seen)
          if (seen.kind === 'up') return
        }
      })().finally(() => {
        watching = undefined
      })
    }

    return {
      async send(message) {
        if (!NtfyTopic.safeParse(message.chat).success)
          return { kind: 'refused', problem: 'ntfy has no topic of such a name.' }
        const answer = await server.publish(message, signal)
        if (answer.kind !== 'answered') {
          tell({ kind: 'away', problem: answer.problem })
          watch()
        }
        return resultOf(answer, message)
      },
      async close() {
        closing.abort()
        await watching
      },
    }
  },
}

type Look = { readonly kind: 'up' } | { readonly kind: 'away' | 'rejected'; readonly problem: string }

const most = 20_000

function ntfyServer({ settings, secrets }: ChannelContext<NtfySettings>) {
  const headers = authorization(secrets['token'])
  const at = (path: string) => new URL(path, settings.server).href
  return {
    account: { id: settings.topic, name: `${settings.topic} at ${new URL(settings.server).host}` },
    publish: (message: OutboundMessage, signal: AbortSignal) =>
      webCall(at('/'), {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(publication(settings, message)),
        most,
        patienceMs: 30_000,
        signal,
      }),
    /** Whether it is there and takes the token. Whether a topic may be written to is known only by writing. */
    async look(signal: AbortSignal): Promise<Look> {
      const path = secrets['token'] ? '/v1/account' : '/v1/health'
      const answer = await webCall(at(path), { method: 'GET', headers, most, patienceMs: 15_000, signal })
      if (answer.kind !== 'answered')
        return { kind: 'away', problem: `The ntfy server cannot be reached: ${answer.problem}` }
      const { status } = answer
      if (status === 401 || status === 403)
        return { kind: 'rejected', problem: 'The ntfy server does not accept the access token.' }
      // One that asks for patience is there.
      if (status === 200 || status === 429) return { kind: 'up' }
      return { kind: 'away', problem: `The ntfy server answered ${status}.` }
    },
  }
}

function authorization(token: string | undefined): Readonly<Record<string, string>> {
  if (!token) return {}
  // What cannot stand in a header would be told in an error, token and all.
  if (!/^[!-~]+$/.test(token))
    throw new RejectedError('An access token of ntfy has no spaces or line breaks.')
  return { authorization: `Bearer ${token}` }
}

function publication(settings: NtfySettings, message: OutboundMessage) {
  const { title, priority, tags, click, actions } = settings
  return {
    topic: message.chat,
    title,
    priority,
    tags,
    // An empty text would be shown as "triggered".
    message: plainTextOf(message) || ' ',
    ...(click === undefined ? {} : { click }),
    actions: actions.map(({ label, url }) => ({ action: 'view', label, url, clear: true })),
  }
}

const Published = z.object({ id: z.string().min(1).max(300) })

function resultOf(answer: WebCallResult, { key }: OutboundMessage): SendResult {
  if (answer.kind === 'not-sent') return { kind: 'later', afterMs: null, problem: answer.problem }
  if (answer.kind === 'lost') return { kind: 'unknown', problem: answer.problem }
  const { status, headers, body } = answer
  // Published all the same where it cannot be read under which name.
  if (status === 200) return { kind: 'sent', message: Published.safeParse(jsonIn(body)).data?.id ?? key }
  const problem = `The ntfy server answered ${status}: ${new TextDecoder().decode(body).slice(0, 300)}`
  if (status === 429 || status === 503) return { kind: 'later', afterMs: retryAfterMs(headers), problem }
  return { kind: status >= 500 ? 'unknown' : 'refused', problem }
}
