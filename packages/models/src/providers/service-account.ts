/**
 * Owns the way from a service account of Google's to a token: a statement signed with its key, exchanged at the place
 * that the account names. Refuses an account whose place is neither HTTPS nor this machine.
 */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { z } from 'zod'
import { cappedText } from './capped-body.ts'

export interface ServiceAccount {
  readonly email: string
  readonly key: KeyObject
  readonly tokenUrl: string
}

type Fetch = typeof globalThis.fetch

const File = z.object({
  type: z.literal('service_account'),
  client_email: z.string().min(3).max(300),
  private_key: z.string().min(100).max(10_000),
  token_uri: z.string().max(500),
})
const Token = z.object({ access_token: z.string().min(1).max(8_192), expires_in: z.number().min(1) })

/** The file of an account, as it is or in base64; undefined where the key is something else. */
export function serviceAccountIn(key: string): ServiceAccount | undefined {
  const isFile = key.trimStart().startsWith('{')
  if (!isFile && !/^[A-Za-z0-9+/=_-]{200,}$/.test(key)) return undefined
  try {
    const file = File.safeParse(JSON.parse(isFile ? key : Buffer.from(key, 'base64').toString('utf8')))
    if (!file.success || !isSafePlace(file.data.token_uri)) return undefined
    const { client_email: email, private_key: pem, token_uri: tokenUrl } = file.data
    return { email, key: createPrivateKey(pem), tokenUrl }
  } catch {
    return undefined
  }
}

/** Gives the token that holds now, asked for again shortly before its end. */
export function accountTokens(
  account: ServiceAccount,
  fetch: Fetch,
  now: () => number = Date.now,
): (signal?: AbortSignal | null) => Promise<string> {
  let held: { readonly token: string; readonly until: number } | undefined
  return async (signal) => {
    if (held && now() < held.until - earlierMs) return held.token
    const asked = now()
    const { access_token: token, expires_in: seconds } = await exchange(account, fetch, asked, signal)
    held = { token, until: asked + seconds * 1_000 }
    return token
  }
}

const earlierMs = 5 * 60_000
const patienceMs = 10_000
const mostBytes = 64 * 1_024

async function exchange(account: ServiceAccount, fetch: Fetch, at: number, signal?: AbortSignal | null) {
  const patience = AbortSignal.timeout(patienceMs)
  const response = await fetch(account.tokenUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: statementOf(account, Math.floor(at / 1_000)),
    }).toString(),
    redirect: 'manual',
    signal: signal ? AbortSignal.any([signal, patience]) : patience,
  })
  const text = await cappedText(response, mostBytes)
  const token = response.ok && text !== undefined ? Token.safeParse(JSON.parse(text)) : undefined
  if (token?.success) return token.data
  throw new Error(`The service account was refused a token (status ${response.status}).`)
}

function statementOf({ email, key, tokenUrl }: ServiceAccount, seconds: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const said = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({
    iss: email,
    scope: 'https://www.googleapis.com/auth/cloud-platform',
    aud: tokenUrl,
    iat: seconds,
    exp: seconds + 3_600,
  })}`
  return `${said}.${sign('RSA-SHA256', Buffer.from(said), key).toString('base64url')}`
}

function isSafePlace(address: string): boolean {
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '') return false
  return (
    url.protocol === 'https:' || (url.protocol === 'http:' && /^(127\.0\.0\.1|\[::1\])$/.test(url.hostname))
  )
}
