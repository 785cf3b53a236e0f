/** The rows of `countersign config`. */
import { type CommandRow, needed } from '../../command-row.ts'

export const configSummary = 'settings of the gateway'

const setting = needed('setting', 'setting, such as port or retention.events')

export const configRows: readonly CommandRow[] = [
  {
    name: 'config show',
    summary: 'show every setting, its value and where it comes from',
    arguments: [],
    options: [],
    examples: ['countersign config show', 'countersign config show --json'],
    load: async () => (await import('../config.ts')).show,
  },
  {
    name: 'config get',
    summary: 'print the value of one setting',
    arguments: [setting],
    options: [],
    examples: ['countersign config get timeZone'],
    load: async () => (await import('../config.ts')).get,
  },
  {
    name: 'config set',
    summary: 'change a setting; says whether a restart is needed',
    arguments: [
      setting,
      { ...needed('value', 'new value; more settings and values may follow'), many: true },
    ],
    options: [],
    examples: [
      'countersign config set timeZone Europe/Vienna',
      'countersign config set model.provider anthropic model.model name-of-the-model',
    ],
    load: async () => (await import('../config.ts')).set,
  },
  {
    name: 'config unset',
    summary: 'go back to the default',
    arguments: [setting],
    options: [],
    examples: ['countersign config unset port'],
    load: async () => (await import('../config.ts')).unset,
  },
  {
    name: 'config path',
    summary: 'print where the settings are stored',
    arguments: [],
    options: [],
    examples: ['countersign config path'],
    load: async () => (await import('../config.ts')).path,
  },
  {
    name: 'config check',
    summary: 'check the settings as the gateway does at start',
    arguments: [],
    options: [],
    examples: ['countersign config check'],
    load: async () => (await import('../config.ts')).check,
  },
]
