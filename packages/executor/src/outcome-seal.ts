/**
 * Owns how the end of a permit is kept: closed with what only whoever has the whole permit can say. Where a conversation
 * is erased its permits go, and with them what its calls brought; what stays in the file, and in its free pages, is noise.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { type ApprovalSubject, canonicalText } from '@countersign/contract'

const cipher = 'aes-256-gcm'
const sizes = { salt: 12, mark: 16 } as const

/** In no ledger and no table: the digest of a permit, which is, does not lead to it. */
export function outcomeKey(subject: ApprovalSubject): Buffer {
  return createHash('sha256')
    .update(`the end of ${canonicalText(subject)}`)
    .digest()
}

export function sealOutcome(text: string, key: Buffer): string {
  const salt = randomBytes(sizes.salt)
  const closing = createCipheriv(cipher, key, salt)
  const closed = Buffer.concat([closing.update(text, 'utf8'), closing.final()])
  return Buffer.concat([salt, closing.getAuthTag(), closed]).toString('base64')
}

/** Throws where the key is another. */
export function openOutcome(sealed: string, key: Buffer): string {
  const bytes = Buffer.from(sealed, 'base64')
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, sizes.salt))
  opening.setAuthTag(bytes.subarray(sizes.salt, sizes.salt + sizes.mark))
  const closed = bytes.subarray(sizes.salt + sizes.mark)
  return Buffer.concat([opening.update(closed), opening.final()]).toString('utf8')
}
