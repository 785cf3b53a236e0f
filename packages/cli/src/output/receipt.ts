/** The mark that every change leaves behind: its place in the ledger. */

/** Empty when nothing was changed, and so nothing recorded. */
export function ledgerMark(ledger: number): string {
  return ledger > 0 ? `  Ledger #${ledger}` : ''
}
