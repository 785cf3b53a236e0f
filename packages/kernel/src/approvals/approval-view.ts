/** Owns what a surface shows of a request: its card, what it can be answered with, and the receipt of its end. */
import { type ApprovalSubject, type ApprovalView, tierName } from '@countersign/contract'
import { askingOf } from '@countersign/policy'
import { type ApprovalRow, subjectOf } from './approval-row.ts'
import { grantSubjectOf, optionSentence } from './grants.ts'

export function viewOfApproval(row: ApprovalRow): ApprovalView {
  const subject = subjectOf(row)
  return {
    id: row.id,
    code: row.code,
    state: row.state,
    digest: row.digest,
    card: row.card,
    asks: approvalAsking(row, subject),
    agentSays: row.agent_says,
    asked: row.asked,
    replaces: row.replaces,
    options: approvalOptions(row, subject),
    session: row.session_id,
    run: row.run_id,
    call: row.call_id,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
    decidedBy: row.decided_by,
    reason: row.reason,
    receipt: approvalReceipt(row),
  }
}

function approvalAsking(
  { card, offers }: ApprovalRow,
  { provenance: label, resources, requester }: ApprovalSubject,
): ApprovalView['asks'] {
  const { tier, effects, why } = card
  return askingOf({ rules: why.rules, tier, label, effects, resources, requester, outlook: offers })
}

function approvalOptions(row: ApprovalRow, sealed: ApprovalSubject): ApprovalView['options'] {
  const once = { scope: 'once' as const, sentence: 'Only this call, exactly as shown' }
  const { offers, card } = row
  const subject = grantSubjectOf(sealed, card, null)
  const scopes = [...offers.scopes, ...(offers.untrusted.run ? (['run'] as const) : [])].map((scope) => ({
    scope,
    sentence: optionSentence(subject, { scope }, offers),
  }))
  const rule = { scope: 'rule' as const, sentence: 'A rule for calls like this one, which you choose' }
  return [once, ...scopes, ...(offers.stops.length + offers.untrusted.stops.length > 0 ? [rule] : [])]
}

/** Without the time, which stands beside it and is each surface's to say in the zone of who reads. */
function approvalReceipt(row: ApprovalRow): string | null {
  if (row.state === 'pending' || !row.decided_at) return null
  const what = `${tierName[row.tier]}: ${row.card.headline}`
  const verb = {
    approved: 'Approved',
    denied: 'Denied',
    expired: 'Expired',
    withdrawn: 'Withdrawn',
    superseded: 'Superseded',
  }
  return `${verb[row.state]}${row.decided_by ? ` by ${row.decided_by}` : ''}: ${what}`
}
