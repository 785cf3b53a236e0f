/** The row of `countersign why`. */
import { type CommandRow, needed } from '../../command-row.ts'

export const whyRows: readonly CommandRow[] = [
  {
    name: 'why',
    summary: 'trace anything back to the person who caused it',
    arguments: [needed('anything', 'code, id, path in the workspace or ledger number')],
    options: [],
    examples: ['countersign why K7Q2', 'countersign why run_0198…'],
    load: async () => (await import('../why.ts')).why,
  },
]
