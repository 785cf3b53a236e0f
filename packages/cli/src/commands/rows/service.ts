/** The rows of `countersign service`: the gateway as a service of this user. */
import type { CommandRow, OptionRow } from '../../command-row.ts'

export const serviceSummary = 'the gateway as a service that starts when you log in'

const dryRun: OptionRow = {
  flags: '--dry-run',
  summary: 'show what would be written and run without doing it',
}

export const serviceRows: readonly CommandRow[] = [
  {
    name: 'service install',
    summary: 'write the service file and enable it; does not start it',
    arguments: [],
    options: [dryRun],
    examples: ['countersign service install --dry-run', 'countersign service install'],
    load: async () => (await import('../service.ts')).install,
  },
  {
    name: 'service start',
    summary: 'start the service and wait until the gateway answers',
    arguments: [],
    options: [dryRun],
    examples: ['countersign service start'],
    load: async () => (await import('../service.ts')).start,
  },
  {
    name: 'service stop',
    summary: 'stop the service; it starts again at the next login',
    arguments: [],
    options: [dryRun],
    examples: ['countersign service stop'],
    load: async () => (await import('../service.ts')).stop,
  },
  {
    name: 'service restart',
    summary: 'stop the service and start it again',
    arguments: [],
    options: [dryRun],
    examples: ['countersign service restart'],
    load: async () => (await import('../service.ts')).restart,
  },
  {
    name: 'service status',
    summary: 'show whether the service is installed, enabled and running',
    arguments: [],
    options: [],
    examples: ['countersign service status', 'countersign service status --json'],
    load: async () => (await import('../service.ts')).status,
  },
  {
    name: 'service logs',
    summary: 'show the end of the gateway log',
    arguments: [],
    options: [
      { flags: '-f, --follow', summary: 'follow new lines; Ctrl-C ends it' },
      { flags: '--lines <count>', summary: 'number of lines (default: 50)' },
    ],
    examples: ['countersign service logs', 'countersign service logs -f'],
    load: async () => (await import('../service-logs.ts')).logs,
  },
  {
    name: 'service uninstall',
    summary: 'stop the service and remove its files; the data stays',
    arguments: [],
    options: [dryRun],
    examples: ['countersign service uninstall --dry-run', 'countersign service uninstall'],
    load: async () => (await import('../service.ts')).uninstall,
  },
]
