/**
 * Owns how a gateway proves itself: the texts that it signs with the key of the trust file, and the address that each
 * is bound to. A client works the text out from what it asked and whom it dialled, so that nobody in between can
 * answer, change an answer, or stand at another address.
 */

/** The gateway's signature over `answerText`, base64. */
export const proofHeader = 'countersign-proof'
/** The address that a client dialled, as `addressOf` writes it. */
export const addressHeader = 'countersign-address'

/** In the place of the hash, where an answer is sent while it is being made. */
export const streamedBody = 'streamed'

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * How an address is written in what is signed: the names of this computer are one. Undefined for an address that
 * cannot be proven: without TLS a name elsewhere says nothing.
 */
export function addressOf(url: string): string | undefined {
  const parsed = URL.parse(url)
  if (parsed?.protocol === 'https:') return parsed.origin
  if (parsed?.protocol !== 'http:' || !loopback.has(parsed.hostname)) return undefined
  return `http://127.0.0.1:${parsed.port === '' ? '80' : parsed.port}`
}

/** Whether this is a number that nobody used before, long enough to be no guess. */
export function isNonce(text: string): boolean {
  return /^[\w-]{16,64}$/.test(text)
}

/** What the gateway signs for one answer over HTTP. */
export function answerText(answer: {
  readonly gateway: string
  readonly address: string
  readonly method: string
  /** With the query, as it was asked for. */
  readonly path: string
  /** The client's own, of this request. */
  readonly nonce: string
  readonly status: number
  /** SHA-256 of the body, hex; or `streamedBody`. */
  readonly bodyHash: string
}): string {
  const { gateway, address, method, path, nonce, status, bodyHash } = answer
  return ['countersign/answer/v1', gateway, address, method, path, nonce, String(status), bodyHash].join('\0')
}

/** What the gateway signs when a socket is opened, before the device says who it is. */
export function challengeText(challenge: {
  readonly gateway: string
  readonly address: string
  /** The client's own, from the address of the socket. */
  readonly asked: string
  /** The gateway's, which the device signs. */
  readonly nonce: string
}): string {
  const { gateway, address, asked, nonce } = challenge
  return ['countersign/challenge/v1', gateway, address, asked, nonce].join('\0')
}

/** What the gateway signs in the note by which programs of its host find it. */
export function leaseText(lease: {
  readonly gateway: string
  readonly pid: number
  readonly url: string
  readonly startedAt: string
  readonly version: string
}): string {
  const { gateway, pid, url, startedAt, version } = lease
  return ['countersign/lease/v1', gateway, String(pid), url, startedAt, version].join('\0')
}

/** What the gateway signs in a notification, for one device. */
export function notificationText(gateway: string, device: string, message: string): string {
  return ['countersign/notification/v1', gateway, device, message].join('\0')
}
