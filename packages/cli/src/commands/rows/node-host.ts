/** The rows of `countersign node` for the computer of the gateway. */
import { type CommandRow, needed } from '../../command-row.ts'

const node = needed('node', 'name or id, as `node list` shows them')
const request = {
  name: 'request',
  summary: 'name or id of the request; not needed if there is only one',
  required: false,
}

export const nodeHostRows: readonly CommandRow[] = [
  {
    name: 'node list',
    summary: 'list the other computers that run calls for you, and what each can do now',
    arguments: [],
    options: [{ flags: '--all', summary: 'include revoked ones' }],
    examples: ['countersign node list', 'countersign node list --all --json'],
    load: async () => (await import('../node-host.ts')).list,
  },
  {
    name: 'node show',
    summary: 'show a node, what it can do and what stands in the way',
    arguments: [node],
    options: [],
    examples: ['countersign node show laptop'],
    load: async () => (await import('../node-host.ts')).show,
  },
  {
    name: 'node invite',
    summary: 'let one computer elsewhere ask to become a node, once, within five minutes',
    arguments: [],
    options: [{ flags: '--origin <origin>', summary: 'public origin (default: the only one)' }],
    examples: ['countersign node invite', 'countersign node invite --origin https://home.example.com'],
    load: async () => (await import('../node-host.ts')).invite,
  },
  {
    name: 'node requests',
    summary: 'list the computers that ask to become nodes, with the words to compare',
    arguments: [],
    options: [],
    examples: ['countersign node requests'],
    load: async () => (await import('../node-host.ts')).requests,
  },
  {
    name: 'node approve',
    summary: 'let a computer run calls that shows the same six words',
    arguments: [request],
    options: [
      { flags: '--words <words>', summary: 'the six words shown on the other computer' },
      { flags: '--name <name>', summary: 'what you call it (default: what it calls itself)' },
    ],
    examples: [
      'countersign node approve',
      'countersign node approve --name workshop',
      'countersign node approve --words "apple river chair moon lamp fox"',
    ],
    load: async () => (await import('../node-host.ts')).approve,
  },
  {
    name: 'node refuse',
    summary: 'refuse a computer that asks to become a node',
    arguments: [request],
    options: [],
    examples: ['countersign node refuse', 'countersign node refuse workshop'],
    load: async () => (await import('../node-host.ts')).refuse,
  },
  {
    name: 'node limit',
    summary: 'switch what a node can do off or on again, here',
    arguments: [node],
    options: [
      {
        flags: '--off <capabilities>',
        summary: 'what to switch off, separated by commas, such as camera,screen',
      },
      { flags: '--on <capabilities>', summary: 'what to switch on again' },
    ],
    examples: [
      'countersign node limit laptop --off camera,screen',
      'countersign node limit laptop --on camera',
    ],
    load: async () => (await import('../node-host.ts')).limit,
  },
  {
    name: 'node rename',
    summary: 'give a node another name; cards show it',
    arguments: [node, needed('name', 'new name')],
    options: [],
    examples: ['countersign node rename laptop workshop'],
    load: async () => (await import('../node-host.ts')).rename,
  },
  {
    name: 'node revoke',
    summary: 'take a node away, at once and permanently',
    arguments: [node],
    options: [],
    examples: ['countersign node revoke laptop', 'countersign node revoke laptop --yes --json'],
    load: async () => (await import('../node-host.ts')).revoke,
  },
]
