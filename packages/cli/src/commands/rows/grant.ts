/** The rows of `countersign grant` and `countersign what-can`. */
import type { CommandRow } from '../../command-row.ts'

export const grantSummary = 'what may run without asking'

export const grantRows: readonly CommandRow[] = [
  {
    name: 'grant list',
    summary: 'list what may run without asking',
    arguments: [],
    options: [
      { flags: '--unused <days>', summary: 'only those that nothing used for so long, as 30d' },
      { flags: '--all', summary: 'also those that ended' },
    ],
    examples: ['countersign grant list', 'countersign grant list --unused 30d'],
    load: async () => (await import('../grant.ts')).list,
  },
  {
    name: 'grant show',
    summary: 'show what a grant allows, where, how often, and where it came from',
    arguments: [{ name: 'grant', summary: 'the id of a grant', required: true }],
    options: [],
    examples: ['countersign grant show gr_0198…'],
    load: async () => (await import('../grant.ts')).show,
  },
  {
    name: 'grant revoke',
    summary: 'end grants now',
    arguments: [{ name: 'grants', summary: 'exactly these, by their ids', required: true, many: true }],
    options: [],
    examples: ['countersign grant revoke gr_0198…', 'countersign grant revoke gr_0198… gr_0199…'],
    load: async () => (await import('../grant.ts')).revoke,
  },
  {
    name: 'grant prune',
    summary: 'end the grants that nothing used for so long',
    arguments: [],
    options: [
      { flags: '--unused <days>', summary: 'how long, as 30d' },
      { flags: '--dry-run', summary: 'only say which they would be' },
    ],
    examples: ['countersign grant prune --unused 30d --dry-run', 'countersign grant prune --unused 30d'],
    load: async () => (await import('../grant.ts')).prune,
  },
  {
    name: 'grant suggest',
    summary: 'list grants that would have answered what you approved more than once',
    arguments: [],
    options: [],
    examples: ['countersign grant suggest'],
    load: async () => (await import('../grant.ts')).suggest,
  },
  {
    name: 'what-can',
    summary: 'everything that may happen without asking',
    arguments: [{ name: 'agent', summary: 'only what this agent may do', required: false }],
    options: [],
    examples: ['countersign what-can', 'countersign what-can researcher --json'],
    load: async () => (await import('../what-can.ts')).whatCan,
  },
]
