/** The rows of `countersign device` and `countersign open`. */
import type { ArgumentRow, CommandRow, OptionRow } from '../../command-row.ts'

export const deviceSummary = 'paired devices and what each may do'

const device: ArgumentRow = { name: 'device', summary: 'name or id of a device', required: true }
const reach: OptionRow = {
  flags: '--reach <reach>',
  summary: 'access: look (view only), decide (what stays in your hands) or seal (all but critical actions)',
}

export const deviceRows: readonly CommandRow[] = [
  {
    name: 'open',
    summary: 'open the web app and pair that browser',
    arguments: [{ name: 'screen', summary: 'screen to open, such as approvals or devices', required: false }],
    options: [
      { flags: '--phone', summary: 'show a QR code that pairs a phone at a public origin' },
      { flags: '--origin <origin>', summary: 'with --phone: which public origin (default: the only one)' },
      { ...reach, summary: `with --phone: ${reach.summary}` },
    ],
    examples: ['countersign open', 'countersign open approvals', 'countersign open --phone'],
    load: async () => (await import('../open.ts')).open,
  },
  {
    name: 'device list',
    summary: 'list devices, passkeys and pairing requests',
    arguments: [],
    options: [{ flags: '--all', summary: 'include revoked ones' }],
    examples: ['countersign device list', 'countersign device list --all --json'],
    load: async () => (await import('../device.ts')).list,
  },
  {
    name: 'device show',
    summary: 'show a device, its access and its key',
    arguments: [device],
    options: [],
    examples: ['countersign device show "Firefox on Linux"'],
    load: async () => (await import('../device.ts')).show,
  },
  {
    name: 'device approve',
    summary: 'pair a device that shows the same six words',
    arguments: [
      {
        name: 'request',
        summary: 'name or id of the request; not needed if there is only one',
        required: false,
      },
    ],
    options: [
      { flags: '--words <words>', summary: 'the six words shown on the other screen' },
      reach,
      { flags: '--refuse', summary: 'refuse the request, or a passkey that waits' },
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
    summary: 'change the access of a device',
    arguments: [device],
    options: [reach],
    examples: ['countersign device limit phone --reach look'],
    load: async () => (await import('../device.ts')).limit,
  },
  {
    name: 'device rename',
    summary: 'rename a device',
    arguments: [device, { name: 'name', summary: 'new name', required: true }],
    options: [],
    examples: ['countersign device rename "Chrome on Android" phone'],
    load: async () => (await import('../device.ts')).rename,
  },
  {
    name: 'device revoke',
    summary: 'revoke a device or a passkey permanently, or passkeys at an origin',
    arguments: [
      { name: 'device', summary: 'name or id of a device or passkey, or an origin', required: true },
    ],
    options: [],
    examples: ['countersign device revoke phone', 'countersign device revoke phone --yes --json'],
    load: async () => (await import('../device.ts')).revoke,
  },
]
