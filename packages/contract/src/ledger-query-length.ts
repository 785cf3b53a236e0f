/** Owns how long a query of the ledger may be, apart from how it is read: whoever speaks with the gateway knows it. */
export const longestLedgerQuery = 1_000
