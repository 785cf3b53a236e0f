/** The rows of `countersign secret`. */
import { type CommandRow, needed } from '../../command-row.ts'

export const secretSummary = 'what the agent may use and never sees'

const secret = needed('name', 'the name of the secret')

export const secretRows: readonly CommandRow[] = [
  {
    name: 'secret list',
    summary: 'list the secrets and where each may go; never their values',
    arguments: [],
    options: [],
    examples: ['countersign secret list'],
    load: async () => (await import('../secret.ts')).list,
  },
  {
    name: 'secret set',
    summary: 'keep a secret for the places that it may go to; the value is asked for or read from stdin',
    arguments: [secret],
    options: [
      { flags: '--host <hosts>', summary: 'the hosts it may go to, with a port if it is not 443' },
      { flags: '--http', summary: 'over plain HTTP' },
      { flags: '--tool <names>', summary: 'only these tools may use it' },
      { flags: '--description <text>', summary: 'what it is for' },
    ],
    examples: [
      'countersign secret set github --host api.github.com',
      'pass show search | countersign secret set brave_search --host api.search.brave.com',
    ],
    load: async () => (await import('../secret.ts')).set,
  },
  {
    name: 'secret rotate',
    summary: 'give a secret a new value for the same places',
    arguments: [secret],
    options: [],
    examples: ['countersign secret rotate github'],
    load: async () => (await import('../secret.ts')).rotate,
  },
  {
    name: 'secret rm',
    summary: 'forget a secret',
    arguments: [secret],
    options: [],
    examples: ['countersign secret rm github'],
    load: async () => (await import('../secret.ts')).remove,
  },
]
