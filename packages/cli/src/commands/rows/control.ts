/** The rows that stop everything and go on. */
import { type CommandRow } from '../../command-row.ts'

export const controlRows: readonly CommandRow[] = [
  {
    name: 'pause',
    summary: 'pause everything; nothing is lost',
    arguments: [],
    options: [],
    examples: ['countersign pause'],
    load: async () => (await import('../pause.ts')).pause,
  },
  {
    name: 'resume',
    summary: 'resume after a pause',
    arguments: [],
    options: [],
    examples: ['countersign resume'],
    load: async () => (await import('../pause.ts')).resume,
  },
]
