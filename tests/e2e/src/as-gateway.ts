/** Owns answers that a test puts in the place of the gateway's: signed with its key, as a dishonest gateway could. */
import { addressHeader, answerText, proofHeader } from '@countersign/contract'
import { gatewayKeyPath, readKey, sha256Hex, signText } from '@countersign/contract/node'
import type { Installation } from '@countersign/harness'
import type { Request } from 'playwright-core'

export type Signing = Pick<Installation, 'identity' | 'paths'>

export interface SignedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export function signedAnswer(
  { identity, paths }: Signing,
  request: Request,
  status: number,
  body: string,
): SignedAnswer {
  const headers = request.headers()
  const { pathname, search } = new URL(request.url())
  const text = answerText({
    gateway: identity.trust.gateway.id,
    address: headers[addressHeader] ?? '',
    method: request.method(),
    path: `${pathname}${search}`,
    nonce: headers['countersign-nonce'] ?? '',
    status,
    bodyHash: sha256Hex(body),
  })
  const proof = signText(readKey(gatewayKeyPath(paths)).privateKey, text)
  return { status, headers: { 'content-type': 'application/json', [proofHeader]: proof }, body }
}
