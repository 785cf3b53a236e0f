/** Owns the row of a request, and the sealed subject in it. */
import { ApprovalSubject, CountersignError } from '@countersign/contract'
import type { Selectable } from 'kysely'
import type { Tables } from '../store/tables.ts'

export type ApprovalRow = Selectable<Tables['approvals']>

export function subjectOf(row: Pick<ApprovalRow, 'subject'>): ApprovalSubject {
  return ApprovalSubject.parse(JSON.parse(row.subject))
}

/** Who ended it and when, for whoever came later. */
export function endedError(row: ApprovalRow): CountersignError {
  if (row.state === 'pending')
    return new CountersignError('expired', `${row.code} ended at ${row.expires_at.toISOString()}.`)
  const by = row.decided_by ? ` by ${row.decided_by}` : ''
  const at = row.decided_at ? ` at ${row.decided_at.toISOString()}` : ''
  return new CountersignError(
    row.state === 'expired' ? 'expired' : 'conflict',
    `${row.code} is already ${row.state}${by}${at}.`,
  )
}
