/** Owns hashing on servers. Loads nothing of the contract's shapes. */
import { createHash } from 'node:crypto'

export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}
