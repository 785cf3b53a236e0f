/** Owns hashing on servers: the digest of a subject and of any canonical text. */
import { createHash } from 'node:crypto'
import { type ApprovalSubject, subjectText } from '../subject.ts'

export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

/** The digest that an approver sees and seals. */
export function digestOf(subject: ApprovalSubject): string {
  return sha256Hex(subjectText(subject))
}
