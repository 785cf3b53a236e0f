/** Owns the secret of a pairing link: what the gateway is told of it, and whether a page came by it. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { invitationText, linkText, type PairingRequestView } from '@countersign/contract'

/** Lets the page ask at a public origin; from it nobody learns the secret. */
export function invitationBy(secret: string): string {
  return createHash('sha256').update(invitationText(secret)).digest('base64url')
}

export function provesLink(secret: string, { key, nonce, proof }: PairingRequestView): boolean {
  if (proof === null) return false
  const expected = createHmac('sha256', secret).update(linkText(key, nonce)).digest()
  const given = Buffer.from(proof, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
