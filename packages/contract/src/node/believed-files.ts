/** Owns reading who is believed from its two files, anew whenever one of them changed. */
import { statSync } from 'node:fs'
import { type Believed, believe, type VerifyPasskey } from './believed.ts'
import { readStatements } from './statement-file.ts'
import { readTrust, type TrustFile } from './trust-file.ts'

export interface BelievedFiles {
  readonly trust: string
  /** The signed statements; none have been made while it is missing. */
  readonly devices: string
}

export interface TrustState {
  readonly trust: TrustFile
  readonly believed: Believed
}

/**
 * Rejects when a file cannot be read. `refusal` sees the bytes of the statements before anybody is believed, and says
 * why nobody must be.
 */
export function watchBelieved(
  files: BelievedFiles,
  verifyPasskey: VerifyPasskey,
  refusal: (bytes: Uint8Array) => string | null = () => null,
): () => Promise<TrustState> {
  let seen: { readonly stamp: string; readonly state: Promise<TrustState> } | undefined
  return async () => {
    try {
      const stamp = `${stampOf(files.trust)} ${stampOf(files.devices, 'may be missing')}`
      if (seen?.stamp !== stamp) seen = { stamp, state: read(files, verifyPasskey, refusal) }
      return await seen.state
    } catch (error) {
      seen = undefined
      throw error
    }
  }
}

async function read(
  files: BelievedFiles,
  verifyPasskey: VerifyPasskey,
  refusal: (bytes: Uint8Array) => string | null,
): Promise<TrustState> {
  const trust = readTrust(files.trust)
  const { signed, bytes, problems } = readStatements(files.devices)
  const reason = refusal(bytes)
  if (reason !== null) throw new Error(reason)
  const believed = await believe(trust, signed, verifyPasskey)
  return { trust, believed: { ...believed, problems: [...problems, ...believed.problems] } }
}

function stampOf(path: string, missing?: 'may be missing'): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: missing === undefined })
  return found ? `${found.ino}:${found.mtimeNs}:${found.ctimeNs}:${found.size}` : 'none'
}
