/** The rows of `countersign grant` and `countersign what-can`. */
import type { CommandRow } from '../../command-row.ts'

export const grantSummary = 'grants: what may run without approval'

export const grantRows: readonly CommandRow[] = [
  {
    name: 'grant list',
    summary: 'list grants',
    arguments: [],
    options: [
      { flags: '--unused <days>', summary: 'only grants unused for this long, such as 30d' },
      { flags: '--all', summary: 'include ended grants' },
    ],
    examples: ['countersign grant list', 'countersign grant list --unused 30d'],
    load: async () => (await import('../grant.ts')).list,
  },
  {
    name: 'grant show',
    summary: 'show what a grant allows, its limits and its origin',
    arguments: [{ name: 'grant', summary: 'id of a grant', required: true, id: 'gr' }],
    options: [],
    examples: ['countersign grant show gr_0198…'],
    load: async () => (await import('../grant.ts')).show,
  },
  {
    name: 'grant revoke',
    summary: 'revoke grants',
    arguments: [{ name: 'grants', summary: 'ids of grants', required: true, many: true, id: 'gr' }],
    options: [],
    examples: ['countersign grant revoke gr_0198…', 'countersign grant revoke gr_0198… gr_0199…'],
    load: async () => (await import('../grant.ts')).revoke,
  },
  {
    name: 'grant prune',
    summary: 'revoke grants that were not used for some time',
    arguments: [],
    options: [
      { flags: '--unused <days>', summary: 'how long unused, such as 30d' },
      { flags: '--dry-run', summary: 'only list what would be revoked' },
    ],
    examples: ['countersign grant prune --unused 30d --dry-run', 'countersign grant prune --unused 30d'],
    load: async () => (await import('../grant.ts')).prune,
  },
  {
    name: 'grant suggest',
    summary: 'suggest grants for calls that asked three times in a week',
    arguments: [],
    options: [],
    examples: ['countersign grant suggest'],
    load: async () => (await import('../grant.ts')).suggest,
  },
  {
    name: 'grant take',
    summary: 'create a suggested grant',
    arguments: [{ name: 'suggestion', summary: 'id from `grant suggest`', required: true }],
    options: [],
    examples: ['countersign grant take 4be1c07a95d2f3e8'],
    load: async () => (await import('../grant.ts')).take,
  },
  {
    name: 'what-can',
    summary: 'show everything that may run without approval',
    arguments: [{ name: 'agent', summary: 'only for this agent', required: false }],
    options: [],
    examples: ['countersign what-can', 'countersign what-can researcher --json'],
    load: async () => (await import('../what-can.ts')).whatCan,
  },
]
