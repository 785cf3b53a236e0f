/**
 * Owns the moment of approving: checks that what was shown is what the digest binds and was made for this host, then
 * seals exactly that. Trusts nothing that the gateway says about the subject; every claim is computed again.
 */
import {
  type ApprovalDetail,
  type ApprovalSubject,
  type ApprovalView,
  CountersignError,
  claimsOf,
  type DecideApproval,
  type GrantRequest,
  isBroad,
  sealText,
} from '@countersign/contract'
import { fingerprint, recordExecutorIdentity, sha256Hex, signText } from '@countersign/contract/node'
import type { ApprovingHost, OwnNode } from './own-nodes.ts'

export type ApprovalInspection =
  | { readonly kind: 'sound'; readonly subject: ApprovalSubject }
  | { readonly kind: 'unsound'; readonly problem: string }

/** Compares the record with its own digest, its card and the trust file of this host. */
export function inspectApproval(detail: ApprovalDetail, identity: ApprovingHost): ApprovalInspection {
  const claims = claimsOf(detail)
  if (claims.kind === 'unsound') return claims
  const broken = claims.hashes.find(({ text, hash }) => sha256Hex(text) !== hash)
  if (broken) return unsound(broken.problem)
  const { subject } = claims
  const { trust } = identity
  if (subject.operator !== trust.operator || subject.gateway.id !== trust.gateway.id) {
    return unsound('it belongs to another operator or gateway')
  }
  const trusted = [
    { executor: trust.executor.id, key: fingerprint(trust.executor.key) },
    recordExecutorIdentity(trust.gateway),
  ]
  const { audience, resources } = subject
  const isAudience = ({ executor, key }: typeof audience) =>
    audience.executor === executor && audience.key === key
  if (trusted.some(isAudience))
    return resources.some(({ type }) => type === 'node')
      ? unsound('it touches another computer, and would run on this one')
      : { kind: 'sound', subject }
  const node = identity.nodes?.find(isAudience)
  if (!node) return unsound('it belongs to an executor that this host does not trust')
  return resources.length > 0 && resources.every((each) => isOnNode(each, node))
    ? { kind: 'sound', subject }
    : unsound(`it is for ${node.name}, and touches something else`)
}

/** The card shows the name, so it must be the one that this host gave. */
function isOnNode(
  resource: ApprovalSubject['resources'][number],
  { node, executor, key, name }: OwnNode,
): boolean {
  return (
    resource.type === 'node' &&
    resource.node === node &&
    resource.executor === executor &&
    resource.key === key &&
    resource.name === name
  )
}

export interface SealRequest {
  readonly detail: ApprovalDetail
  readonly identity: ApprovingHost
  readonly now: Date
  readonly grant?: GrantRequest | undefined
}

/** The approving verdict, sealed by this device where the tier asks for it. */
export function approvalVerdict(consent: SealRequest): Extract<DecideApproval, { verdict: 'approve' }> {
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
  const inspection = inspectApproval(detail, identity)
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
      `${approval.code} is critical. It needs your passkey and cannot be approved in a terminal.`,
      {
        ...named,
        next: 'Add --step-up to `countersign approval approve` to decide in the web app.',
      },
    )
  }
  if (grant) requireGrantable(approval, grant)
  const verdict = { verdict: 'approve' as const, digest: approval.digest, ...(grant ? { grant } : {}) }
  if (subject.tier < 3) return verdict
  const { id, keys } = identity.device
  const decidedAt = now.toISOString()
  const signature = signText(keys.privateKey, sealText(approval.digest, id, decidedAt))
  return { ...verdict, seal: { by: 'device', device: id, decidedAt, signature } }
}

/** The gateway refuses the same; here it is refused before a person is asked. */
function requireGrantable({ code, options }: ApprovalView, grant: GrantRequest): void {
  const named = { details: { code } }
  const offered = options.map(({ scope }) => scope)
  const grantable = grant.scope === 'rule' ? offered.length > 1 : offered.includes(grant.scope)
  if (!grantable)
    throw new CountersignError(
      'usage',
      `${code} cannot be allowed for longer. Options: ${offered.join(', ')}.`,
      named,
    )
  if (grant.scope === 'rule' && isBroad(grant))
    throw new CountersignError('step_up_needed', 'A rule this broad needs your passkey.', {
      ...named,
      next: `Save it in the web app with \`countersign open approvals/${code}\`, or make it narrower.`,
    })
}

function unsound(problem: string): ApprovalInspection {
  return { kind: 'unsound', problem }
}
