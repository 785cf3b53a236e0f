/** The rows that start, stop and look at the gateway. */
import { type CommandRow } from '../../command-row.ts'

export const gatewayRows: readonly CommandRow[] = [
  {
    name: 'up',
    summary: 'start the gateway on this host',
    arguments: [],
    options: [
      { flags: '--foreground', summary: 'stay attached; Ctrl-C stops it' },
      { flags: '--port <number>', summary: 'the port to listen on' },
      { flags: '--workspace <folder>', summary: 'the folder that the agent may work in' },
    ],
    examples: ['countersign up', 'countersign up --port 7347 --workspace ~/agent'],
    load: async () => (await import('../up.ts')).up,
  },
  {
    name: 'down',
    summary: 'stop the gateway; what waits goes on when it is started again',
    arguments: [],
    options: [],
    examples: ['countersign down'],
    load: async () => (await import('../down.ts')).down,
  },
  {
    name: 'status',
    summary: 'what is running, and what needs you',
    arguments: [],
    options: [],
    examples: ['countersign status', 'countersign status --json'],
    load: async () => (await import('../status.ts')).status,
  },
]
