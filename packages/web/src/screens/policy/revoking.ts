/** Owns the end of grants: one after the other, and an honest word about what came of it. */

import type { GrantView } from '@countersign/contract'
import { useChange } from '../../environment/queries.ts'
import { useNotify } from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/policy.tsx'

export interface RevocationReport {
  readonly done: number
  readonly ledger: number | null
  /** Of the first that could not be revoked. */
  readonly problem: string | null
  readonly failed: number
}

/** Says what came of it; what could not be revoked still holds. */
export function revocationText({ done, ledger, problem, failed }: RevocationReport): string {
  const said =
    failed === 0 ? words.grants.revoked(done) : words.grants.revokedPartly(done, failed, problem ?? '')
  return ledger === null ? said : `${said} ${common.ledgerEntry(ledger)}`
}

export function useRevoking(): {
  readonly busy: boolean
  readonly revoke: (grants: readonly GrantView[], after?: () => void) => void
} {
  const notify = useNotify()
  const change = useChange(
    async (client, grants: readonly GrantView[]): Promise<RevocationReport> => {
      let outcome: RevocationReport = { done: 0, ledger: null, problem: null, failed: 0 }
      for (const { id } of grants)
        try {
          const { ledger } = await client.revokeGrant(id)
          outcome = { ...outcome, done: outcome.done + 1, ledger }
        } catch (error) {
          const problem = error instanceof Error ? error.message : String(error)
          outcome = { ...outcome, failed: outcome.failed + 1, problem: outcome.problem ?? problem }
        }
      return outcome
    },
    [['grants']],
  )
  return {
    busy: change.isPending,
    revoke: (grants, after) =>
      change.mutate(grants, {
        onSuccess: (outcome) => {
          after?.()
          notify({ text: revocationText(outcome), ...(outcome.failed === 0 ? {} : { tone: 'bad' as const }) })
        },
      }),
  }
}
