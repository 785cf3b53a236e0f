/**
 * Owns who is believed: whoever knows a secret. Everything that is not signed looks the same, whatever is wrong with it,
 * and every secret is tried whether or not an earlier one fits.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { RejectedError } from '../frame/adapter.ts'

export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The body as text; undefined where it is none. */
  readonly text: string | undefined
}

export type Signed =
  | { readonly by: 'standard'; readonly id: string; readonly sentAt: string }
  /** GitHub signs the body only: neither the id nor the event. */
  | { readonly by: 'github'; readonly id: string; readonly event: string }

export interface SecretsIn {
  readonly secret?: string
  readonly previous?: string
  readonly github?: string
}

const longestHeader = 2_000
const fewestBytes = 24
const mostBytes = 64

/** What says who signed a request; undefined where nobody did. Throws `RejectedError` for a secret that is none. */
export function createVerifier({ secret, previous, github }: SecretsIn) {
  const keys = [secret, previous].filter((one) => one !== undefined && one !== '').map(standardKey)
  return (request: SignedRequest): Signed | undefined =>
    byStandard(keys, request) ?? (github ? byGithub(github, request) : undefined)
}

/** Signs, and checks what was signed so. */
export function standardKey(secret: string | undefined): Webhook {
  const [, base64 = ''] = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/.exec(secret ?? '') ?? []
  const { length } = Buffer.from(base64, 'base64')
  if (length < fewestBytes || length > mostBytes)
    throw new RejectedError(
      `A secret of Standard Webhooks is whsec_ and ${fewestBytes} to ${mostBytes} bytes in base64.`,
    )
  return new Webhook(base64)
}

function byStandard(keys: readonly Webhook[], { headers, text }: SignedRequest): Signed | undefined {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = headers
  if (!id || !time || !signature || signature.length > longestHeader || text === undefined) return undefined
  if (!/^\d{1,12}$/.test(time)) return undefined
  const given = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature }
  const isSigned = keys.map((key) => isSignedWith(key, text, given)).includes(true)
  return isSigned ? { by: 'standard', id, sentAt: new Date(Number(time) * 1_000).toISOString() } : undefined
}

function isSignedWith(key: Webhook, text: string, given: Readonly<Record<string, string>>): boolean {
  try {
    // It is no more than five minutes old, or ahead.
    key.verify(text, { ...given }, { jsonParse: false })
    return true
  } catch {
    return false
  }
}

function byGithub(secret: string, { headers, body }: SignedRequest): Signed | undefined {
  const {
    'x-hub-signature-256': signature = '',
    'x-github-delivery': id = '',
    'x-github-event': event = '',
  } = headers
  const [, hex = ''] = /^sha256=([0-9a-f]{64})$/.exec(signature) ?? []
  const wanted = createHmac('sha256', secret).update(body).digest()
  const given = Buffer.alloc(wanted.length)
  given.write(hex, 'hex')
  return timingSafeEqual(wanted, given) && hex !== '' ? { by: 'github', id, event } : undefined
}
