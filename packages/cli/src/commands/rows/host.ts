/** The rows of what looks after this host: health, doctor and uninstall. */
import type { CommandRow } from '../../command-row.ts'

export const hostRows: readonly CommandRow[] = [
  {
    name: 'health',
    summary: 'whether the gateway is well, for scripts and containers; with --quiet only the exit code tells',
    arguments: [],
    options: [],
    examples: ['countersign health', 'countersign health --quiet && echo well'],
    load: async () => (await import('../health.ts')).health,
  },
  {
    name: 'doctor',
    summary: 'look for what is wrong, and say how to correct it',
    arguments: [],
    options: [
      { flags: '--fix', summary: 'show a plan and, once you agree, correct what can be corrected here' },
      { flags: '--deep', summary: 'also check the whole ledger, write to the disk, and run the executor' },
      { flags: '--dry-run', summary: 'with --fix: show the plan, and change nothing' },
      { flags: '--yes', summary: 'with --fix: do not ask' },
    ],
    examples: ['countersign doctor', 'countersign doctor --fix', 'countersign doctor --deep --json'],
    load: async () => (await import('../doctor.ts')).doctor,
  },
  {
    name: 'uninstall',
    summary: 'stop the gateway and remove what Countersign keeps on this host',
    arguments: [],
    options: [
      { flags: '--keep-data', summary: 'leave the data, the settings and the vault' },
      { flags: '--dry-run', summary: 'print what would be removed, and remove nothing' },
      { flags: '--yes', summary: 'do not ask' },
    ],
    examples: ['countersign uninstall --dry-run', 'countersign uninstall --keep-data'],
    load: async () => (await import('../uninstall.ts')).uninstall,
  },
]
