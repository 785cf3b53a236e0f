/**
 * Owns by what a delivery is known to be signed: our own headers, those of Standard Webhooks, or GitHub's. No signature
 * of one form is one of another: ours begins what it signs with a time and GitHub's with a JSON object, and Standard
 * Webhooks sign with the bytes that the text of the secret stands for.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export interface SignedDelivery {
  /** The same whenever it is sent again. */
  readonly id: string
  readonly words: string
  /** GitHub asks once whether somebody is there. */
  readonly isPing: boolean
}

export interface HookRequest {
  readonly header: (name: string) => string | undefined
  readonly body: Uint8Array
  readonly now: Date
}

export const hookHeaders = {
  time: 'countersign-timestamp',
  delivery: 'countersign-delivery',
  signature: 'countersign-signature',
} as const

const toleranceMs = 5 * 60_000
const longestHeader = 2_000
/** What a secret of Standard Webhooks holds, as they say. */
const secretBytes = { least: 24, most: 64 }

/** Undefined where it is signed in none of the forms, or too old; takes as long without a secret as with one. */
export function signedDelivery(secret: string | undefined, request: HookRequest): SignedDelivery | undefined {
  const forms = [byOurs, byStandard, byGithub].map((form) => form(secret ?? 'nobody knows this one', request))
  return secret === undefined ? undefined : forms.find((found) => found !== undefined)
}

/** What a sender puts into the header: the version, and the code over time, id and body in hexadecimal. */
export function signatureOf(
  secret: string,
  { time, delivery }: { readonly time: string; readonly delivery: string },
  body: string | Uint8Array,
): string {
  return `v1=${createHmac('sha256', secret).update(headOf(time, delivery)).update(body).digest('hex')}`
}

function byOurs(secret: string, { header, body, now }: HookRequest): SignedDelivery | undefined {
  const time = header(hookHeaders.time) ?? ''
  const delivery = header(hookHeaders.delivery) ?? ''
  const wanted = createHmac('sha256', secret).update(headOf(time, delivery)).update(body).digest()
  const isSigned = isHex(wanted, header(hookHeaders.signature) ?? '', 'v1=')
  if (!isSigned || !isRecent(time, now) || !isId(delivery)) return undefined
  return { id: delivery, words: textOf(body), isPing: false }
}

/** The id is signed too: otherwise whoever saw one delivery could send it again under another. */
const headOf = (time: string, delivery: string): string => `${time}.${delivery}.`

function byStandard(secret: string, { header, body, now }: HookRequest): SignedDelivery | undefined {
  const id = header('webhook-id') ?? ''
  const time = header('webhook-timestamp') ?? ''
  const given = (header('webhook-signature') ?? '').slice(0, longestHeader)
  const [, base64 = ''] = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
  const key = Buffer.from(base64, 'base64')
  const wanted = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest()
  // While a secret is changed there is one for each.
  const isSigned = given
    .split(' ')
    .map((each) => isSame(wanted, Buffer.from(/^v1,([A-Za-z0-9+/]+={0,2})$/.exec(each)?.[1] ?? '', 'base64')))
    .includes(true)
  const isKey = key.length >= secretBytes.least && key.length <= secretBytes.most
  if (!isSigned || !isKey || !isRecent(time, now) || !isId(id)) return undefined
  return { id: `standard:${id}`, words: textOf(body), isPing: false }
}

/** GitHub signs the body alone: neither a time, nor the id, nor the event. The same body is the same delivery. */
function byGithub(secret: string, { header, body }: HookRequest): SignedDelivery | undefined {
  const wanted = createHmac('sha256', secret).update(body).digest()
  const isSigned = isHex(wanted, header('x-hub-signature-256') ?? '', 'sha256=')
  const event = header('x-github-event') ?? ''
  const words = textOf(body)
  if (!isSigned || !words.startsWith('{') || !/^[a-z_]{1,60}$/.test(event)) return undefined
  const id = createHash('sha256').update(body).digest('hex')
  return { id: `github:${id}`, words: `GitHub: ${event}\n${words}`, isPing: event === 'ping' }
}

function isHex(wanted: Buffer, given: string, prefix: string): boolean {
  const hex = given.startsWith(prefix) ? given.slice(prefix.length) : ''
  return isSame(wanted, /^[0-9a-f]{64}$/.test(hex) ? Buffer.from(hex, 'hex') : Buffer.alloc(0))
}

function isSame(wanted: Buffer, given: Buffer): boolean {
  const shown = Buffer.alloc(wanted.length)
  given.copy(shown)
  return timingSafeEqual(wanted, shown) && given.length === wanted.length
}

const isId = (id: string): boolean => /^[\w.:-]{1,100}$/.test(id)

/** Whole seconds since 1970, as senders write it. */
function isRecent(time: string, now: Date): boolean {
  return /^\d{1,12}$/.test(time) && Math.abs(now.getTime() - Number(time) * 1_000) <= toleranceMs
}

function textOf(body: Uint8Array): string {
  return new TextDecoder('utf-8').decode(body)
}
