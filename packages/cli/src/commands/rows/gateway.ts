/** The rows that start, stop and look at the gateway. */
import { type CommandRow } from '../../command-row.ts'

export const gatewayRows: readonly CommandRow[] = [
  {
    name: 'up',
    summary: 'start the gateway on this host',
    arguments: [],
    options: [
      { flags: '--foreground', summary: 'run in this terminal; Ctrl-C stops it' },
      {
        flags: '--port <number>',
        summary: 'port to listen on (default: the last one, else 7347 or the next free)',
      },
      { flags: '--workspace <folder>', summary: 'folder the agent works in' },
    ],
    examples: ['countersign up', 'countersign up --port 7347 --workspace ~/agent'],
    load: async () => (await import('../up.ts')).up,
  },
  {
    name: 'down',
    summary: 'stop the gateway; pending work resumes at the next start',
    arguments: [],
    options: [],
    examples: ['countersign down'],
    load: async () => (await import('../down.ts')).down,
  },
  {
    name: 'status',
    summary: 'show what is running and what needs you',
    arguments: [],
    options: [],
    examples: ['countersign status', 'countersign status --json'],
    load: async () => (await import('../status.ts')).status,
  },
  {
    name: 'limits',
    summary: 'show every limit that holds',
    arguments: [],
    options: [],
    examples: ['countersign limits', 'countersign limits --json'],
    load: async () => (await import('../limits.ts')).limits,
  },
]
