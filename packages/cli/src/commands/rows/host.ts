/** The rows of what looks after this host: health, doctor and uninstall. */
import type { CommandRow } from '../../command-row.ts'

export const hostRows: readonly CommandRow[] = [
  {
    name: 'health',
    summary: 'check the health of the gateway, for scripts and containers; with --quiet by the exit code',
    arguments: [],
    options: [],
    examples: ['countersign health', 'countersign health --quiet && echo well'],
    load: async () => (await import('../health.ts')).health,
  },
  {
    name: 'doctor',
    summary: 'check this installation, and explain how to fix each problem',
    arguments: [],
    options: [
      { flags: '--fix', summary: 'show a plan and, after you confirm, fix what can be fixed here' },
      { flags: '--deep', summary: 'also verify the whole ledger, write to the disk and run the executor' },
      { flags: '--dry-run', summary: 'with --fix: show the plan without changing anything' },
      { flags: '--yes', summary: 'with --fix: skip the confirmation' },
    ],
    examples: ['countersign doctor', 'countersign doctor --fix', 'countersign doctor --deep --json'],
    load: async () => (await import('../doctor.ts')).doctor,
  },
  {
    name: 'uninstall',
    summary: "stop the gateway and remove Countersign's files from this host",
    arguments: [],
    options: [
      { flags: '--keep-data', summary: 'keep data, settings and vault' },
      { flags: '--dry-run', summary: 'show what would be removed without removing it' },
      { flags: '--yes', summary: 'skip the confirmation' },
    ],
    examples: ['countersign uninstall --dry-run', 'countersign uninstall --keep-data'],
    load: async () => (await import('../uninstall.ts')).uninstall,
  },
]
