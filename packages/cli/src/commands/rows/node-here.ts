/** The rows of `countersign node` that are given on the node's own computer. */
import { type CommandRow, needed, type OptionRow } from '../../command-row.ts'

const dryRun: OptionRow = {
  flags: '--dry-run',
  summary: 'show what would be written and run without doing it',
}
const here = async () => import('../node-here.ts')

export const nodeHereRows: readonly CommandRow[] = [
  {
    name: 'node pair',
    summary: 'pair this computer with a gateway elsewhere; shows six words to compare on the host',
    arguments: [needed('address', 'address of the gateway, such as https://house.example')],
    options: [
      { flags: '--name <name>', summary: 'what it is called on cards (default: the name of this computer)' },
      { flags: '--folder <path>', summary: 'the folder that it shares (default: ~/Countersign)' },
      { flags: '--invitation <word>', summary: 'the word of the invitation that the host showed' },
    ],
    examples: [
      'countersign node pair https://house.example --invitation Qm9…',
      'countersign node pair https://house.example --name studio --folder ~/Shared',
      'countersign node pair http://127.0.0.1:7348',
    ],
    load: async () => (await here()).pair,
  },
  {
    name: 'node run',
    summary: 'connect this computer and run what you approve, until Ctrl-C',
    arguments: [],
    options: [],
    examples: ['countersign node run'],
    load: async () => (await here()).run,
  },
  {
    name: 'node status',
    summary: 'show this computer as a node: its connection, what it can do, whom it believes',
    arguments: [],
    options: [],
    examples: ['countersign node status', 'countersign node status --json'],
    load: async () => (await here()).status,
  },
  {
    name: 'node caps',
    summary: 'show or change what may be done on this computer; it can only take away',
    arguments: [],
    options: [
      { flags: '--on <capability>', summary: 'allow it here, such as camera; repeatable', repeats: true },
      { flags: '--off <capability>', summary: 'refuse it here, such as shell; repeatable', repeats: true },
      { flags: '--max-tier <tier>', summary: 'refuse calls above this tier, from 0 to 4' },
    ],
    examples: [
      'countersign node caps',
      'countersign node caps --on camera --off shell',
      'countersign node caps --max-tier 2',
    ],
    load: async () => (await here()).caps,
  },
  {
    name: 'node pause',
    summary: 'refuse everything on this computer until it is resumed',
    arguments: [],
    options: [],
    examples: ['countersign node pause'],
    load: async () => (await here()).pause,
  },
  {
    name: 'node resume',
    summary: 'end the pause of this computer',
    arguments: [],
    options: [],
    examples: ['countersign node resume'],
    load: async () => (await here()).resume,
  },
  {
    name: 'node install',
    summary: 'run the node of this computer as a service of your user, and start it',
    arguments: [],
    options: [dryRun, { flags: '--remove', summary: 'stop the service and remove its files' }],
    examples: [
      'countersign node install --dry-run',
      'countersign node install',
      'countersign node install --remove',
    ],
    load: async () => (await import('../node-service.ts')).install,
  },
  {
    name: 'node forget',
    summary: 'forget the pairing and the key of this computer; shared files stay',
    arguments: [],
    options: [],
    examples: ['countersign node forget'],
    load: async () => (await here()).forget,
  },
  {
    name: 'node forget-device',
    summary: 'have this computer believe nothing more that a device signs, whatever the gateway says',
    arguments: [needed('device', 'name or id of the device, as `countersign node status` shows it')],
    options: [],
    examples: ['countersign node forget-device phone'],
    load: async () => (await here()).forgetDevice,
  },
]
