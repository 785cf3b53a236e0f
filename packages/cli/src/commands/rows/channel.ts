/** The rows of `countersign channel`. */
import { type CommandRow, needed, type OptionRow, optional } from '../../command-row.ts'

export const channelSummary = 'channels in which people talk to the agent, such as Telegram or e-mail'

const channel = needed('name', 'a short name for the channel, such as chat')
const delivery = needed('delivery', 'id of the answer, as `channel log` shows it')
const settings: OptionRow = {
  flags: '--set <setting=value>',
  summary: 'one setting of the kind; a list is separated by commas; repeatable',
  repeats: true,
}

export const channelRows: readonly CommandRow[] = [
  {
    name: 'channel list',
    summary: 'list channels and how they stand; never shows secrets',
    arguments: [],
    options: [],
    examples: ['countersign channel list', 'countersign channel list --json'],
    load: async () => (await import('../channel.ts')).list,
  },
  {
    name: 'channel kinds',
    summary: 'list the kinds of channels, or show what one needs',
    arguments: [optional('kind', 'a kind, such as telegram')],
    options: [],
    examples: ['countersign channel kinds', 'countersign channel kinds telegram'],
    load: async () => (await import('../channel-kinds.ts')).kinds,
  },
  {
    name: 'channel add',
    summary: 'add a channel; prompts for its secrets or reads them from stdin',
    arguments: [channel],
    options: [{ flags: '--kind <kind>', summary: 'see `countersign channel kinds`' }, settings],
    examples: [
      'countersign channel add chat --kind telegram',
      'pass show telegram | countersign channel add chat --kind telegram',
      'countersign channel add club --kind irc --set server=irc.example.org --set nick=helper',
      String.raw`printf 'bot=%s\napp=%s\n' "$BOT" "$APP" | countersign channel add team --kind slack`,
    ],
    load: async () => (await import('../channel-add.ts')).add,
  },
  {
    name: 'channel show',
    summary: 'show a channel, its settings and what may be decided there',
    arguments: [channel],
    options: [],
    examples: ['countersign channel show chat'],
    load: async () => (await import('../channel.ts')).show,
  },
  {
    name: 'channel set',
    summary: 'change the settings, a secret, the groups or the choices of a channel',
    arguments: [channel],
    options: [
      settings,
      { flags: '--secret <name>', summary: 'replace this secret: prompts for it or reads it from stdin' },
      {
        flags: '--group <id>',
        summary: 'a group in which people may speak; repeatable; none empties the list',
        repeats: true,
      },
      { flags: '--approvals <state>', summary: 'whether you may decide there: on or off' },
      {
        flags: '--notices <state>',
        summary: 'whether you are told there of notices and reminders: on or off',
      },
    ],
    examples: [
      'countersign channel set club --set nick=assistant',
      'countersign channel set chat --secret token',
      'countersign channel set chat --group -1001234567890',
      'countersign channel set chat --approvals off',
    ],
    load: async () => (await import('../channel-add.ts')).set,
  },
  {
    name: 'channel test',
    summary: 'send a line to your own chats there',
    arguments: [channel],
    options: [],
    examples: ['countersign channel test chat'],
    load: async () => (await import('../channel.ts')).test,
  },
  {
    name: 'channel log',
    summary: 'show what was sent there, what became of it, and which answers wait for you',
    arguments: [channel],
    options: [{ flags: '--state <state>', summary: 'only those in this state, such as held or unknown' }],
    examples: ['countersign channel log chat', 'countersign channel log chat --state held'],
    load: async () => (await import('../channel-log.ts')).log,
  },
  {
    name: 'channel release',
    summary: 'send an answer that was held, since it may hold something private',
    arguments: [delivery],
    options: [],
    examples: ['countersign channel release dl_0198f2a4c1'],
    load: async () => (await import('../channel-log.ts')).release,
  },
  {
    name: 'channel drop',
    summary: 'drop an answer that was held; it is never sent',
    arguments: [delivery],
    options: [],
    examples: ['countersign channel drop dl_0198f2a4c1'],
    load: async () => (await import('../channel-log.ts')).drop,
  },
  {
    name: 'channel pause',
    summary: 'disconnect a channel until it is resumed; what waits there stays',
    arguments: [channel],
    options: [],
    examples: ['countersign channel pause chat'],
    load: async () => (await import('../channel.ts')).pause,
  },
  {
    name: 'channel resume',
    summary: 'connect a paused channel again',
    arguments: [channel],
    options: [],
    examples: ['countersign channel resume chat'],
    load: async () => (await import('../channel.ts')).resume,
  },
  {
    name: 'channel remove',
    summary: 'remove a channel with its secrets and its people',
    arguments: [channel],
    options: [],
    examples: ['countersign channel remove chat'],
    load: async () => (await import('../channel.ts')).remove,
  },
]
