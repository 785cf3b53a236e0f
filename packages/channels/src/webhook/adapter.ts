/**
 * Owns the way to other programs by signed requests. One that comes in is answered with success only when it is taken;
 * anything else makes the sender try again.
 */
import { createHash } from 'node:crypto'
import { type ChannelAdapter, type ChannelContext, RejectedError } from '../frame/adapter.ts'
import { plainTextOf } from '../frame/plain-text.ts'
import type { OutboundMessage, SendResult, WebAnswer, WebRequest } from '../frame/protocol.ts'
import { retryAfterMs, type WebCallResult, webCall } from '../frame/web-call.ts'
import { type WebhookSettings, webhookManifest } from './manifest.ts'
import { readBody } from './message.ts'
import { createVerifier, type SecretsIn, standardKey } from './signature.ts'

const largestBody = 1_048_576
const patienceMs = 30_000

export const webhookAdapter: ChannelAdapter<WebhookSettings> = {
  manifest: webhookManifest,
  async open(context) {
    const request = receiver(context)
    const send = sender(context)
    const { source, url } = context.settings
    // There is nothing to hold open: whoever has something to say comes.
    context.connected({ id: source, name: url === undefined ? source : `${source} and ${new URL(url).host}` })
    return { request, send, close: () => Promise.resolve() }
  },
}

function receiver({ settings, secrets, take }: ChannelContext<WebhookSettings>) {
  const { secret, github }: SecretsIn = secrets
  if (!secret && !github && settings.url === undefined)
    throw new RejectedError('It needs the secret of a sender, or an address to send to.')
  const signedBy = createVerifier(secrets)

  return async ({ method, headers, body }: WebRequest): Promise<WebAnswer> => {
    if (method !== 'POST') return answer(405, 'Send a POST.')
    if (body.byteLength > largestBody) return answer(413, `Send at most ${largestBody} bytes.`)
    const text = textOf(body)
    const signed = signedBy({ headers, body, text })
    if (!signed) return answer(401, 'The signature is missing or wrong.')
    const read = readBody({ source: settings.source, signed, text, now: new Date() })
    if (read.kind === 'unreadable') return answer(400, read.problem)
    if (read.kind === 'greeting') return answer(200, 'Hello.')
    try {
      await take(read.event)
    } catch {
      return answer(503, 'Not now. Send it again.')
    }
    return answer(200, 'Taken.')
  }
}

const answer = (status: number, text: string): WebAnswer => ({ status, mediaType: 'text/plain', text })

function textOf(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

function sender({ settings, secrets, signal }: ChannelContext<WebhookSettings>) {
  const { source, url } = settings
  if (url === undefined)
    return (): Promise<SendResult> =>
      Promise.resolve({ kind: 'refused', problem: 'This channel has no address to send to.' })
  const { secret, previous, sending } = secrets
  // Otherwise what we said could be sent back to us as what somebody else said.
  if (sending !== undefined && [secret, previous].includes(sending))
    throw new RejectedError('What is sent needs another secret than what comes in.')
  const key = standardKey(sending)

  return async (message: OutboundMessage): Promise<SendResult> => {
    const { chat } = message
    if (chat !== source && !chat.startsWith(`${source}/`))
      return { kind: 'refused', problem: 'There is no such conversation here.' }
    const id = headerId(message.key)
    const now = new Date()
    const data = { chat: chat === source ? null : chat.slice(source.length + 1), text: plainTextOf(message) }
    const body = JSON.stringify({ type: message.about ?? 'message', timestamp: now.toISOString(), data })
    const result = await webCall(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': key.sign(id, now, body),
      },
      body,
      most: largestBody,
      patienceMs,
      signal,
    })
    return resultOf(result, id)
  }
}

/** The key, where it can stand in a header. */
const headerId = (key: string): string =>
  /^[!-~]{1,200}$/.test(key) ? key : createHash('sha256').update(key).digest('base64url')

function resultOf(result: WebCallResult, message: string): SendResult {
  if (result.kind === 'not-sent') return { kind: 'later', afterMs: null, problem: result.problem }
  if (result.kind === 'lost') return { kind: 'unknown', problem: result.problem }
  const { status, headers } = result
  const problem = `The receiver answered ${status}.`
  if (status >= 200 && status < 300) return { kind: 'sent', message }
  if (status === 429 || status === 503) return { kind: 'later', afterMs: retryAfterMs(headers), problem }
  if (status === 408 || status >= 500) return { kind: 'unknown', problem }
  // 410 says that it is not wanted there any more, and a redirect would lead what is signed to somebody else.
  return { kind: 'refused', problem }
}
