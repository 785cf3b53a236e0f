/**
 * Owns the moment of approving: checks that what was shown is what the digest binds and was made for this host, then
 * seals exactly that. Trusts nothing that the gateway says about the subject; every claim is computed again.
 */
import {
  type ApprovalDetail,
  ApprovalSubject,
  CountersignError,
  canonicalText,
  type DecideApproval,
  type GrantRequest,
  parseStrict,
  sealText,
} from '@countersign/contract'
import {
  digestOf,
  fingerprint,
  type HostIdentity,
  houseIdentity,
  sha256Hex,
  signText,
} from '@countersign/contract/node'

export type Inspection =
  | { readonly kind: 'sound'; readonly subject: ApprovalSubject }
  | { readonly kind: 'unsound'; readonly problem: string }

/** Compares the record with its own digest, its card and the trust file of this host. */
export function inspect(detail: ApprovalDetail, identity: HostIdentity): Inspection {
  const { approval } = detail
  const subject = subjectIn(detail.subject)
  if (subject === undefined) return unsound('its subject is not a subject that this program knows')
  if (canonicalText(subject) !== detail.subject) return unsound('its subject is not canonical')
  if (digestOf(subject) !== approval.digest) return unsound('its digest is not the digest of its subject')
  if (sha256Hex(canonicalText(approval.card)) !== subject.display)
    return unsound('its card is not the card that was sealed')
  if (sha256Hex(subject.args) !== subject.argsHash) return unsound('its arguments do not fit their hash')
  if (approval.card.tier !== subject.tier) return unsound('its card shows another tier')
  const { id, run, session, call, expiresAt } = approval
  if (
    subject.approval !== id ||
    subject.run !== run ||
    subject.session !== session ||
    subject.call !== call
  ) {
    return unsound('its subject belongs to another call')
  }
  if (Date.parse(subject.notAfter) !== Date.parse(expiresAt))
    return unsound('it shows another time of expiry')
  const { trust } = identity
  if (subject.operator !== trust.operator || subject.gateway.id !== trust.gateway.id) {
    return unsound('it was made for another operator or gateway')
  }
  const trusted = [
    { executor: trust.executor.id, key: fingerprint(trust.executor.key) },
    houseIdentity(trust.gateway),
  ]
  const { audience } = subject
  if (!trusted.some(({ executor, key }) => audience.executor === executor && audience.key === key)) {
    return unsound('it was made for an executor that this host does not trust')
  }
  return { kind: 'sound', subject }
}

export interface Consent {
  readonly detail: ApprovalDetail
  readonly identity: HostIdentity
  readonly now: Date
  readonly grant?: GrantRequest | undefined
}

/** The approving verdict, sealed by this device where the tier asks for it. */
export function approvalVerdict(consent: Consent): Extract<DecideApproval, { verdict: 'approve' }> {
  const { detail, identity, now, grant } = consent
  const { approval } = detail
  const named = { details: { code: approval.code } }
  if (approval.state !== 'pending') {
    throw new CountersignError(
      approval.state === 'expired' ? 'expired' : 'conflict',
      `${approval.code} is already ${approval.state}.`,
      named,
    )
  }
  const inspection = inspect(detail, identity)
  if (inspection.kind === 'unsound') {
    throw new CountersignError(
      'conflict',
      `${approval.code} cannot be approved: ${inspection.problem}.`,
      named,
    )
  }
  const { subject } = inspection
  if (Date.parse(subject.notAfter) <= now.getTime())
    throw new CountersignError('expired', `${approval.code} has expired.`, named)
  if (subject.tier === 4) {
    throw new CountersignError(
      'step_up_needed',
      `${approval.code} is T4 critical. It is approved with a passkey, never from a terminal.`,
      named,
    )
  }
  if (grant && !approval.options.some((option) => option.scope === grant.scope)) {
    throw new CountersignError(
      'usage',
      `${approval.code} cannot be allowed for longer. It offers: ${approval.options.map((option) => option.scope).join(', ')}.`,
      named,
    )
  }
  const verdict = { verdict: 'approve' as const, digest: approval.digest, ...(grant ? { grant } : {}) }
  if (subject.tier < 3) return verdict
  const { id, keys } = identity.device
  const decidedAt = now.toISOString()
  const signature = signText(keys.privateKey, sealText(approval.digest, id, decidedAt))
  return { ...verdict, seal: { by: 'device', device: id, decidedAt, signature } }
}

function unsound(problem: string): Inspection {
  return { kind: 'unsound', problem }
}

function subjectIn(text: string): ApprovalSubject | undefined {
  const read = parseStrict(text)
  if (read.kind === 'refused') return undefined
  const subject = ApprovalSubject.safeParse(read.value)
  return subject.success ? subject.data : undefined
}
