/** Owns the request to pair that a page with a link makes, with a key of its own. */
import { createHmac, randomBytes } from 'node:crypto'
import { linkText, type PairingRequestBody, pairingText } from '@countersign/contract'
import { generateKey, signText } from '@countersign/contract/node'

export function pairingRequest(
  gatewayKey: string,
  secret: string,
  device: Pick<PairingRequestBody, 'name' | 'platform' | 'reach'>,
): PairingRequestBody {
  const { publicKey, privateKey } = generateKey()
  const nonce = randomBytes(16).toString('base64url')
  return {
    ...device,
    key: publicKey,
    nonce,
    signature: signText(privateKey, pairingText(gatewayKey, publicKey, nonce)),
    proof: createHmac('sha256', secret).update(linkText(publicKey, nonce)).digest('base64'),
  }
}
