/** The rows of `countersign peer`. */
import { type CommandRow, needed, type OptionRow } from '../../command-row.ts'

export const peerSummary = 'people who talk to the agent in channels, and who asks to be let in'

const person = needed('person', 'channel and id, as `peer list` shows them, such as chat/48151623')

const limits: readonly OptionRow[] = [
  {
    flags: '--tools <names>',
    summary: 'tools that may be called for them, separated by commas; any or none (default: any)',
  },
  { flags: '--tier <tier>', summary: 'highest tier that is even asked, from 0 to 3 (default: 2)' },
  { flags: '--daily-usd <amount>', summary: 'what their messages may cost in a day (default: 1)' },
  { flags: '--hours <hours>', summary: 'when they are answered, such as 8-22, or always (default: always)' },
  { flags: '--messages-per-hour <count>', summary: 'how many messages are answered (default: 60)' },
]

export const peerRows: readonly CommandRow[] = [
  {
    name: 'peer list',
    summary: 'list who may talk to the agent, who asks to, and who is blocked',
    arguments: [],
    options: [{ flags: '--channel <name>', summary: 'only people of this channel' }],
    examples: ['countersign peer list', 'countersign peer list --channel chat'],
    load: async () => (await import('../peer.ts')).list,
  },
  {
    name: 'peer admit',
    summary: 'let in whoever was shown this code in a chat, as yourself, as trusted or as a guest',
    arguments: [needed('code', 'the eight letters and digits that stand in the chat')],
    options: [
      {
        flags: '--as <role>',
        summary:
          'operator (your own account), trusted (not a stranger; only where the platform shows who writes) or guest',
      },
      ...limits,
    ],
    examples: [
      'countersign peer admit K7Q2-MXRP --as operator',
      'countersign peer admit K7Q2MXRP --as guest --tier 1 --daily-usd 0.50 --hours 8-22 --messages-per-hour 30',
      'countersign peer admit K7Q2MXRP --as trusted --tools search_web,list_calendar_events',
    ],
    load: async () => (await import('../peer.ts')).admit,
  },
  {
    name: 'peer limit',
    summary: 'change what a person may cause; what is left out stays',
    arguments: [person],
    options: limits.map((row) => ({ ...row, summary: row.summary.replace(/ \(default: .+\)$/, '') })),
    examples: [
      'countersign peer limit chat/48151623 --daily-usd 2',
      'countersign peer limit chat/48151623 --hours always --tools any',
    ],
    load: async () => (await import('../peer.ts')).limit,
  },
  {
    name: 'peer block',
    summary: 'answer a person no more, and never show them a code again',
    arguments: [person],
    options: [],
    examples: ['countersign peer block chat/48151623'],
    load: async () => (await import('../peer.ts')).block,
  },
  {
    name: 'peer remove',
    summary: 'forget a person, who is a stranger again',
    arguments: [person],
    options: [],
    examples: ['countersign peer remove chat/48151623'],
    load: async () => (await import('../peer.ts')).remove,
  },
]
