/**
 * Owns what a surface checks before it seals: that the card which a person saw is the card of the subject which they
 * would seal. It names the hashes that must hold; each surface computes them with what its runtime has.
 */
import type { ApprovalDetail } from './api.ts'
import { whatText, whyText } from './card-content.ts'
import { chainProblem } from './chain.ts'
import { canonicalText } from './json/canonical.ts'
import { parseStrict } from './json/strict.ts'
import { ApprovalSubject, subjectText } from './subject.ts'

export interface HashClaim {
  readonly text: string
  /** SHA-256 of the text, hex. */
  readonly hash: string
  /** What it means when they differ. */
  readonly problem: string
}

export type Claims =
  | { readonly kind: 'claims'; readonly subject: ApprovalSubject; readonly hashes: readonly HashClaim[] }
  | { readonly kind: 'unsound'; readonly problem: string }

/** Trusts nothing that the gateway says about the subject. */
export function claimsOf({ approval, subject: text }: ApprovalDetail): Claims {
  const subject = subjectIn(text)
  if (subject === undefined) return unsound('its subject is not a subject that this program knows')
  if (canonicalText(subject) !== text) return unsound('its subject is not canonical')
  const { card } = approval
  if (card.tier !== subject.tier) return unsound('its card shows another tier')
  if (card.tool !== subject.tool.name) return unsound('its card is that of another tool')
  if (card.args !== subject.args) return unsound('its card shows other arguments')
  if (canonicalText(card.chain) !== canonicalText(subject.chain))
    return unsound('its card shows another chain of who asked')
  const broken = chainProblem(subject)
  if (broken !== null) return unsound(broken)
  const { id, run, session, call, expiresAt } = approval
  if (subject.approval !== id || subject.run !== run || subject.session !== session || subject.call !== call)
    return unsound('its subject belongs to another call')
  if (Date.parse(expiresAt) > Date.parse(subject.notAfter))
    return unsound('it shows a time of expiry after its end')
  return {
    kind: 'claims',
    subject,
    hashes: [
      {
        text: subjectText(subject),
        hash: approval.digest,
        problem: 'its digest is not the digest of its subject',
      },
      { text: whatText(card), hash: subject.what, problem: 'its card is not the card of its subject' },
      { text: whyText(card), hash: subject.why, problem: 'its card gives other reasons than its subject' },
      { text: subject.args, hash: subject.argsHash, problem: 'its arguments do not fit their hash' },
    ],
  }
}

function unsound(problem: string): Claims {
  return { kind: 'unsound', problem }
}

function subjectIn(text: string): ApprovalSubject | undefined {
  const read = parseStrict(text)
  if (read.kind === 'refused') return undefined
  const subject = ApprovalSubject.safeParse(read.value)
  return subject.success ? subject.data : undefined
}
