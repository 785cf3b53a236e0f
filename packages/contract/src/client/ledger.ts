/** The part of the typed client that reads the ledger, and witnesses it. */
import type { ClearLedgerAlarms, ComplainOfLedger, ReportSeenHead } from '../api-ledger.ts'
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
    ledgerHead: async (from: number) => call((await ledgerTable()).ledgerHead, { query: { from } }),
    ledgerWitnesses: async () => call((await ledgerTable()).ledgerWitnesses),
    reportSeenHead: async (body: ReportSeenHead) => call((await ledgerTable()).reportSeenHead, { body }),
    complainOfLedger: async (body: ComplainOfLedger) =>
      call((await ledgerTable()).complainOfLedger, { body }),
    clearLedgerAlarms: async (body: ClearLedgerAlarms) =>
      call((await ledgerTable()).clearLedgerAlarms, { body }),
    ledgerEntry: async (seq: number) => call((await ledgerTable()).ledgerEntry, { params: { seq } }),
  }
}
