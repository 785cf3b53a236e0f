export { suggestedTermDays } from './grants.ts'
export { createLedger, type LedgerOptions, type LedgerViews } from './ledger/ledger.ts'
export { createViews, type Views } from './views.ts'
