/** Owns the digest of a subject. */
import { type ApprovalSubject, subjectText } from '../subject.ts'
import { sha256Hex } from './sha256.ts'

/** The digest that an approver sees and seals. */
export function digestOf(subject: ApprovalSubject): string {
  return sha256Hex(subjectText(subject))
}
