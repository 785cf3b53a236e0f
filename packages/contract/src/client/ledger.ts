/** The part of the typed client that reads the ledger. */
import type { Call } from './call.ts'

export interface LedgerAsk {
  readonly q?: string
  readonly before?: number
  readonly after?: number
  readonly limit?: number
  readonly facets?: boolean
}

/** Loaded with the first call, as those of e-mail. */
export const ledgerTable = async () => (await import('../routes/ledger.ts')).ledgerRoutes

export function ledgerCalls(call: Call) {
  return {
    ledger: async ({ q, before, after, limit, facets }: LedgerAsk = {}) =>
      call((await ledgerTable()).ledger, {
        query: {
          q: q === '' ? undefined : q,
          before,
          after,
          limit,
          facets: facets === true ? 'yes' : undefined,
        },
      }),
    oversightDays: async (days = 30) => call((await ledgerTable()).oversightDays, { query: { days } }),
    ledgerEntry: async (seq: number) => call((await ledgerTable()).ledgerEntry, { params: { seq } }),
  }
}
