/** The row of `countersign search`. */
import { type CommandRow, needed } from '../../command-row.ts'

export const searchRows: readonly CommandRow[] = [
  {
    name: 'search',
    summary: 'find conversations, notes, files and searchable e-mails by what they mean',
    arguments: [needed('words', 'what you are looking for, in your own words')],
    options: [
      {
        flags: '--in <collection>',
        summary: 'conversations, notes, files, emails or a vector collection (default: the first four)',
      },
      { flags: '--limit <count>', summary: 'maximum number of rows (default: 10)' },
    ],
    examples: [
      'countersign search "where did we leave the boat"',
      'countersign search "how to prune roses" --in notes',
    ],
    load: async () => (await import('../search.ts')).search,
  },
]
