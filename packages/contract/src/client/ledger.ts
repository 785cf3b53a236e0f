/** The part of the typed client that reads the ledger. */
import { ledgerRoutes } from '../routes/ledger.ts'
import type { Call } from './call.ts'

export interface LedgerAsk {
  readonly q?: string
  readonly before?: number
  readonly after?: number
  readonly limit?: number
  readonly facets?: boolean
}

export function ledgerCalls(call: Call) {
  return {
    ledger: ({ q, before, after, limit, facets }: LedgerAsk = {}) =>
      call(ledgerRoutes.ledger, {
        query: {
          q: q === '' ? undefined : q,
          before,
          after,
          limit,
          facets: facets === true ? 'yes' : undefined,
        },
      }),
    oversightDays: (days = 30) => call(ledgerRoutes.oversightDays, { query: { days } }),
    ledgerEntry: (seq: number) => call(ledgerRoutes.ledgerEntry, { params: { seq } }),
  }
}
