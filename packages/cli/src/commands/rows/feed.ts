/** The rows of `countersign feed`. */
import type { CommandRow } from '../../command-row.ts'

export const feedSummary = 'digests of what happened'

export const feedRows: readonly CommandRow[] = [
  {
    name: 'feed show',
    summary: 'show recent digests',
    arguments: [],
    options: [{ flags: '--since <date>', summary: 'first day, such as 2026-08-01' }],
    examples: ['countersign feed show', 'countersign feed show --since 2026-11-01 --json'],
    load: async () => (await import('../feed.ts')).show,
  },
  {
    name: 'feed make',
    summary: 'write a digest of what happened since the last one',
    arguments: [],
    options: [{ flags: '--digest', summary: 'use the ledger only, without a model' }],
    examples: ['countersign feed make', 'countersign feed make --digest'],
    load: async () => (await import('../feed.ts')).make,
  },
]
