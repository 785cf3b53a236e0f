/** The rows of `countersign device` and `countersign open`. */
import type { ArgumentRow, CommandRow, OptionRow } from '../../command-row.ts'

export const deviceSummary = 'who may speak for you, and how far each may go'

const device: ArgumentRow = { name: 'device', summary: 'the name or the id of a device', required: true }
const reach: OptionRow = {
  flags: '--reach <reach>',
  summary: 'look (only), decide (up to T2) or seal (T3 too)',
}

export const deviceRows: readonly CommandRow[] = [
  {
    name: 'open',
    summary: 'open the web app in a browser, and let that browser in',
    arguments: [{ name: 'screen', summary: 'where to begin, such as approvals or devices', required: false }],
    options: [],
    examples: ['countersign open', 'countersign open approvals'],
    load: async () => (await import('../open.ts')).open,
  },
  {
    name: 'device list',
    summary: 'list devices, passkeys, and who asks to be let in',
    arguments: [],
    options: [{ flags: '--all', summary: 'also those that were revoked' }],
    examples: ['countersign device list', 'countersign device list --all --json'],
    load: async () => (await import('../device.ts')).list,
  },
  {
    name: 'device show',
    summary: 'show what a device may do, and its key',
    arguments: [device],
    options: [],
    examples: ['countersign device show "Firefox on Linux"'],
    load: async () => (await import('../device.ts')).show,
  },
  {
    name: 'device approve',
    summary: 'let a device in that shows the same six words',
    arguments: [
      { name: 'request', summary: 'its name or id; not needed while only one asks', required: false },
    ],
    options: [
      { flags: '--words <words>', summary: 'the six words that the other screen shows' },
      reach,
      { flags: '--refuse', summary: 'refuse it instead' },
    ],
    examples: [
      'countersign device approve',
      'countersign device approve --reach decide',
      'countersign device approve --words "apple river chair moon lamp fox"',
    ],
    load: async () => (await import('../device.ts')).approve,
  },
  {
    name: 'device limit',
    summary: 'change how far a device may go',
    arguments: [device],
    options: [reach],
    examples: ['countersign device limit phone --reach look'],
    load: async () => (await import('../device.ts')).limit,
  },
  {
    name: 'device rename',
    summary: 'give a device another name',
    arguments: [device, { name: 'name', summary: 'the new name', required: true }],
    options: [],
    examples: ['countersign device rename "Chrome on Android" phone'],
    load: async () => (await import('../device.ts')).rename,
  },
  {
    name: 'device revoke',
    summary: 'put a device or a passkey out, at once and for ever',
    arguments: [{ name: 'device', summary: 'the name or the id of a device or a passkey', required: true }],
    options: [],
    examples: ['countersign device revoke phone', 'countersign device revoke phone --yes --json'],
    load: async () => (await import('../device.ts')).revoke,
  },
  {
    name: 'device qr',
    summary: 'show the address to pair at as a picture for a phone',
    arguments: [],
    options: [
      {
        flags: '--address <url>',
        summary: 'the https name under which the other device reaches this gateway',
      },
    ],
    examples: ['countersign device qr --address https://home.example.com'],
    load: async () => (await import('../device.ts')).qr,
  },
]
