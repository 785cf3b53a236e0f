/** The rows of `countersign feed`. */
import type { CommandRow } from '../../command-row.ts'

export const feedSummary = 'what happened, and where it is recorded'

export const feedRows: readonly CommandRow[] = [
  {
    name: 'feed show',
    summary: 'what was told lately',
    arguments: [],
    options: [{ flags: '--since <date>', summary: 'from this day on, as 2026-08-01' }],
    examples: ['countersign feed show', 'countersign feed show --since 2026-11-01 --json'],
    load: async () => (await import('../feed.ts')).show,
  },
  {
    name: 'feed make',
    summary: 'tell what happened since the last time',
    arguments: [],
    options: [{ flags: '--digest', summary: 'from the ledger alone, without a model' }],
    examples: ['countersign feed make', 'countersign feed make --digest'],
    load: async () => (await import('../feed.ts')).make,
  },
]
