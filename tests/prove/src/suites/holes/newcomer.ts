/** A page without a device that expects the gateway with this key, as the link of `countersign open` names it. */
import { randomBytes } from 'node:crypto'
import { type PairingCalls, pairingCalls, type Transport } from '@countersign/contract/client'
import { publicKeyOf, sha256Hex, verifyText } from '@countersign/contract/node'

export function newcomer(options: {
  readonly url: string
  readonly key: string
  readonly fetch?: Transport
}): PairingCalls {
  const { key: expected, ...rest } = options
  return pairingCalls({
    ...rest,
    isExpected: ({ key }) => key === expected,
    ports: {
      nonce: () => randomBytes(16).toString('hex'),
      hash: async (text) => sha256Hex(text),
      verify: async (key, text, signature) => verifyText(publicKeyOf(key), text, signature),
    },
  })
}
