/** The rows of `countersign secret`. */
import { type CommandRow, needed } from '../../command-row.ts'

export const secretSummary = 'secrets that the agent may use but never sees'

const secret = needed('name', 'the name of the secret')

export const secretRows: readonly CommandRow[] = [
  {
    name: 'secret list',
    summary: 'list secrets and their allowed hosts; never shows values',
    arguments: [],
    options: [],
    examples: ['countersign secret list'],
    load: async () => (await import('../secret.ts')).list,
  },
  {
    name: 'secret set',
    summary: 'store a secret for given hosts; prompts for the value or reads it from stdin',
    arguments: [secret],
    options: [
      { flags: '--host <hosts>', summary: 'allowed hosts, with a port if it is not 443' },
      { flags: '--http', summary: 'allow plain HTTP' },
      { flags: '--tool <names>', summary: 'tools that may use it' },
      { flags: '--description <text>', summary: 'purpose' },
    ],
    examples: [
      'countersign secret set github --host api.github.com',
      'pass show search | countersign secret set brave_search --host api.search.brave.com',
    ],
    load: async () => (await import('../secret.ts')).set,
  },
  {
    name: 'secret rotate',
    summary: 'change the value of a secret; its allowed hosts stay',
    arguments: [secret],
    options: [],
    examples: ['countersign secret rotate github'],
    load: async () => (await import('../secret.ts')).rotate,
  },
  {
    name: 'secret rm',
    summary: 'remove a secret',
    arguments: [secret],
    options: [],
    examples: ['countersign secret rm github'],
    load: async () => (await import('../secret.ts')).remove,
  },
]
