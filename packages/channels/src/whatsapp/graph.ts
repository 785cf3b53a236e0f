/** Owns the calls to the Cloud API, and what its answers mean for a message. */
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { SendResult } from '../frame/protocol.ts'
import { jsonIn, retryAfterMs, type WebCallResult, webCall } from '../frame/web-call.ts'
import type { Json } from './compose.ts'

export interface GraphParts {
  readonly apiUrl: string
  readonly phoneNumberId: string
  readonly accessToken: string
  readonly appSecret: string
  readonly signal: AbortSignal
}

export interface Graph {
  /** Who we are there. With a proof of the app's secret, so that a wrong one shows at once and not by silence. */
  account(): Promise<WebCallResult>
  send(body: Json): Promise<WebCallResult>
  upload(bytes: Uint8Array, type: string, name: string): Promise<WebCallResult>
  /** At most so many bytes; rejects where it is more, or there is none. */
  download(media: string, most: number): Promise<Uint8Array>
}

const answerMs = 30_000
const fileMs = 100_000
const mostAnswer = 200_000

export function createGraph(parts: GraphParts): Graph {
  const { apiUrl, phoneNumberId, accessToken, signal } = parts
  const base = apiUrl.replace(/\/+$/, '')
  const headers = { authorization: `Bearer ${accessToken}` }
  const usual = { headers, most: mostAnswer, patienceMs: answerMs, signal }
  return {
    account() {
      const appsecret_proof = createHmac('sha256', parts.appSecret).update(accessToken).digest('hex')
      const query = new URLSearchParams({ fields: 'id,display_phone_number,verified_name', appsecret_proof })
      return webCall(`${base}/${phoneNumberId}?${query.toString()}`, { ...usual, method: 'GET' })
    },
    send: (body) =>
      webCall(`${base}/${phoneNumberId}/messages`, {
        ...usual,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    upload(bytes, type, name) {
      const form = new FormData()
      form.set('messaging_product', 'whatsapp')
      form.set('type', type)
      form.set('file', new Blob([new Uint8Array(bytes)], { type }), name)
      return webCall(`${base}/${phoneNumberId}/media`, {
        ...usual,
        method: 'POST',
        body: form,
        patienceMs: fileMs,
      })
    },
    async download(media, most) {
      if (!/^\d{1,60}$/.test(media)) throw new Error('There is no such file.')
      const query = new URLSearchParams({ phone_number_id: phoneNumberId })
      const about = await webCall(`${base}/${media}?${query.toString()}`, { ...usual, method: 'GET' })
      const found =
        about.kind === 'answered' && about.status === 200 ? Media.safeParse(jsonIn(about.body)) : undefined
      if (!found?.success) throw new Error('WhatsApp does not have this file any more.')
      const { url, file_size: size } = found.data
      if (size > most) throw new Error(`It is larger than ${most} bytes.`)
      if (!isMeta(url, base)) throw new Error('The file is in a place that is not of WhatsApp.')
      const got = await webCall(url, { ...usual, method: 'GET', most, patienceMs: fileMs })
      if (got.kind !== 'answered') throw new Error(got.problem)
      if (got.status !== 200) throw new Error(`WhatsApp answered ${got.status}.`)
      return got.body
    },
  }
}

const Media = z.looseObject({ url: z.url(), file_size: z.coerce.number().catch(0) })

/** The token goes there too. */
function isMeta(url: string, base: string): boolean {
  const { protocol, hostname, origin } = new URL(url)
  const isTheirs = /(^|\.)(facebook\.com|fbsbx\.com|fbcdn\.net|whatsapp\.net)$/.test(hostname)
  return origin === new URL(base).origin || (protocol === 'https:' && isTheirs)
}

const Failure = z.looseObject({
  error: z.looseObject({
    code: z.number(),
    message: z.string().catch(''),
    error_data: z
      .looseObject({ details: z.string().catch('') })
      .optional()
      .catch(undefined),
  }),
})
const Sent = z.looseObject({ messages: z.tuple([z.looseObject({ id: z.string().min(1).max(300) })]) })
const Uploaded = z.looseObject({ id: z.string().min(1).max(200) })

/** Meta names the codes for "too much": of the app, the account, the number, and one pair of numbers. */
const tooMuch = new Set([4, 80007, 130429, 131048, 131056, 133016])
/** "Unknown" and "try later" are also said of what was begun. */
const undecided = new Set([1, 2, 131000, 131016])
const pauseMs = 6_000

export function failureOf(body: Uint8Array): { readonly code: number; readonly words: string } | undefined {
  const read = Failure.safeParse(jsonIn(body))
  if (!read.success) return undefined
  const { code, message, error_data: data } = read.data.error
  return { code, words: `WhatsApp says: ${data?.details || message} (${code})`.slice(0, 900) }
}

export function isTokenProblem(status: number, code: number | undefined): boolean {
  if (status >= 500) return false
  return (
    status === 401 ||
    code === 190 ||
    code === 0 ||
    code === 10 ||
    (code !== undefined && code >= 200 && code < 300)
  )
}

/** What is known of a message after this answer. */
export function sendResultOf(answer: WebCallResult): SendResult {
  if (answer.kind === 'not-sent') return { kind: 'later', afterMs: null, problem: answer.problem }
  if (answer.kind === 'lost') return { kind: 'unknown', problem: answer.problem }
  const { status, headers, body } = answer
  if (status === 200) {
    const sent = Sent.safeParse(jsonIn(body))
    return sent.success
      ? { kind: 'sent', message: sent.data.messages[0].id }
      : { kind: 'unknown', problem: 'WhatsApp took it and did not say under which id.' }
  }
  const failure = failureOf(body)
  const problem = failure?.words ?? `WhatsApp answered ${status}.`
  if (status === 429 || tooMuch.has(failure?.code ?? -1))
    return { kind: 'later', afterMs: retryAfterMs(headers) ?? pauseMs, problem }
  if (status >= 500 || undecided.has(failure?.code ?? -1)) return { kind: 'unknown', problem }
  if (isTokenProblem(status, failure?.code)) return { kind: 'later', afterMs: null, problem }
  if (failure?.code === 131047) return { kind: 'refused', problem: windowClosed }
  return { kind: 'refused', problem }
}

const windowClosed =
  'They last wrote more than 24 hours ago. WhatsApp lets a business write again only after they did. (131047)'

/** The id of the file, or what an upload that failed means: nobody was sent anything yet. */
export function uploadResultOf(
  answer: WebCallResult,
): { readonly kind: 'uploaded'; readonly id: string } | SendResult {
  if (answer.kind === 'answered' && answer.status === 200) {
    const read = Uploaded.safeParse(jsonIn(answer.body))
    return read.success
      ? { kind: 'uploaded', id: read.data.id }
      : { kind: 'later', afterMs: pauseMs, problem: 'WhatsApp did not keep the file.' }
  }
  const result = sendResultOf(answer)
  return result.kind === 'unknown' ? { kind: 'later', afterMs: pauseMs, problem: result.problem } : result
}
