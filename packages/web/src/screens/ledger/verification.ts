/** Owns the check of the ledger as this page knows it. A long ledger is checked when somebody asks for it. */
import type { LedgerReport } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../environment/services.tsx'

export interface Verification {
  readonly report: LedgerReport | undefined
  /** When it was checked. */
  readonly at: string | null
  readonly isChecking: boolean
  readonly error: Error | null
  readonly check: () => void
}

/** Above so many entries a check takes longer than a glance. */
const checkedUnasked = 20_000
const freshMs = 10 * 60_000

export function useVerification(size: number | undefined): Verification {
  const client = useClient()
  const query = useQuery({
    queryKey: ['ledger', 'verify'],
    queryFn: () => client.verifyLedger(),
    enabled: size !== undefined && size <= checkedUnasked,
    staleTime: freshMs,
    retry: false,
    refetchOnWindowFocus: false,
  })
  return {
    report: query.data,
    at: query.dataUpdatedAt === 0 ? null : new Date(query.dataUpdatedAt).toISOString(),
    isChecking: query.isFetching,
    error: query.error,
    check: () => void query.refetch(),
  }
}
