/** Hashes and signature checks of a witness that is no browser. */
import { createHash, verify } from 'node:crypto'
import type { WitnessMeans } from '../ledger-witness.ts'
import { publicKeyOf } from './keys.ts'

export const nodeWitnessMeans: WitnessMeans = {
  sha256: (bytes) => createHash('sha256').update(bytes).digest(),
  verifies(raw, text, signature) {
    if (raw.length !== 32 || signature.length !== 64) return false
    return verify(null, text, publicKeyOf(Buffer.from(raw).toString('base64')), signature)
  },
}
