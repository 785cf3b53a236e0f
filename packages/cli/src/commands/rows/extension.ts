/** The rows of `countersign extension`. */
import { type CommandRow, needed, type OptionRow, optional } from '../../command-row.ts'

export const extensionSummary = 'servers of the Model Context Protocol, plugins and skills that you let in'

const named = needed('name', 'name of the server, plugin or skill')
const words = { name: 'command', summary: 'command that starts it, after --', required: false, many: true }
const waiting: OptionRow = {
  flags: '--waiting',
  summary: 'what an agent wrote and waits for a review, where a skill of its name is let in too',
}
const load = async () => import('../extension.ts')
const loadPlugin = async () => import('../extension-plugin.ts')

const skillPlace: OptionRow = {
  flags: '--skill <place>',
  summary:
    'a skill: its folder, .tar.gz, .zip, or a repository as https://…#COMMIT or https://…#COMMIT:folder',
}
const skillCommit: OptionRow = {
  flags: '--commit <hash>',
  summary: 'the whole commit of a repository that --skill names',
}

const launch: readonly OptionRow[] = [
  { flags: '--preset <name>', summary: 'what we reviewed: home-assistant, github, filesystem or playwright' },
  {
    flags: '--package <name@version>',
    summary: 'npm package with its exact version, fetched now and pinned by its hash',
  },
  { flags: '--files <folder>', summary: 'folder with its files, at /extension inside the sandbox' },
  { flags: '--address <url>', summary: 'address of a server elsewhere, over streamable HTTP' },
  { flags: '--env <name=value>', summary: 'variable that it is given', repeats: true },
  {
    flags: '--folder <path>',
    summary: 'folder of the workspace that it reads; path:write to write too',
    repeats: true,
  },
  { flags: '--host <host>', summary: 'host that it may reach, with :port unless 443', repeats: true },
  {
    flags: '--secret <name>',
    summary: 'secret that it is given: VARIABLE=secret, or the bearer token for --address',
    repeats: true,
  },
  { flags: '--data', summary: 'it keeps files of its own at /data until it is removed' },
  {
    flags: '--sockets',
    summary: 'its programs speak with each other over local sockets, as a browser does; not with --folder',
  },
  skillPlace,
  skillCommit,
  { flags: '--publisher <base64>', summary: 'Ed25519 key by which the skill has to be signed' },
  {
    flags: '--server <name>',
    summary: 'a skill that this server serves; it is fetched, and waits for your review',
  },
  { flags: '--uri <uri>', summary: 'address of its SKILL.md at the server (default: the one of that name)' },
  { flags: '--plugin <path>', summary: 'a plugin: its folder, .tar.gz or .zip' },
]

const tiers: OptionRow = {
  flags: '--tool <name>',
  summary: 'of a plugin: name=tier from 0 to 4 (default: as its author says, and 2 where it reaches a host)',
  repeats: true,
}

export const extensionRows: readonly CommandRow[] = [
  {
    name: 'extension search',
    summary: 'look for words in the indexes that you added; there is none at first',
    arguments: [
      {
        name: 'words',
        summary: 'words that an entry has (default: all of them)',
        required: false,
        many: true,
      },
    ],
    options: [],
    examples: ['countersign extension search calendar', 'countersign extension search --json'],
    load: async () => (await import('../extension-index.ts')).search,
  },
  {
    name: 'extension index',
    summary: 'the indexes that you added: files in which others name extensions, in their words',
    arguments: [
      {
        name: 'action',
        summary: 'action (default: list)',
        required: false,
        choices: ['list', 'add', 'rm'],
      },
      optional('name', 'name that you give it'),
      optional('place', 'address with https, or path'),
    ],
    options: [{ flags: '--key <base64>', summary: 'Ed25519 key by which it has to be signed' }],
    examples: [
      'countersign extension index add house https://example.com/countersign/index.json',
      'countersign extension index add house ./index.json --key AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
      'countersign extension index rm house',
    ],
    load: async () => (await import('../extension-index.ts')).index,
  },
  {
    name: 'extension list',
    summary: 'list the servers, plugins and skills that you let in',
    arguments: [],
    options: [],
    examples: ['countersign extension list', 'countersign extension list --json'],
    load: async () => (await load()).list,
  },
  {
    name: 'extension show',
    summary: 'show a server or a plugin: what it may use, its accepted tools, and what it offers besides',
    arguments: [named],
    options: [
      { flags: '--tool <name>', summary: 'the whole definition of one tool' },
      { flags: '--file <path>', summary: 'a file of a plugin or a skill' },
      waiting,
    ],
    examples: ['countersign extension show github', 'countersign extension show github --tool create_issue'],
    load: async () => (await load()).show,
  },
  {
    name: 'extension add',
    summary: 'let a server, a plugin or a skill in; nothing of it runs before you have decided',
    arguments: [optional('name', 'name that you give it (default: its name in the index)'), words],
    options: [
      ...launch,
      tiers,
      { flags: '--from <index/name>', summary: 'an entry of an index that you added; see extension search' },
    ],
    examples: [
      'countersign extension add files --preset filesystem --package @modelcontextprotocol/server-filesystem@2026.8.31 --folder notes:write -- /workspace/notes',
      'countersign extension add github --preset github',
      'countersign extension add pdf-forms --skill ./pdf-forms',
      'countersign extension add letters --skill https://git.example.com/club/skills.git#0123456789abcdef0123456789abcdef01234567:letters',
      'countersign extension add recipes --plugin ./recipes',
      'countersign extension add refunds --server billing',
      'countersign extension add --from house/files',
      'countersign extension add mine --files ./server --host api.example.com --secret API_TOKEN=mine -- node /extension/server.js',
    ],
    load: async () => (await import('../extension-add.ts')).add,
  },
  {
    name: 'extension look',
    summary: 'start a server and see what it offers',
    arguments: [named],
    options: [],
    examples: ['countersign extension look github'],
    load: async () => (await load()).look,
  },
  {
    name: 'extension accept',
    summary:
      'accept tools that a server offers, each with its tier; the card shows every word and every difference',
    arguments: [named],
    options: [
      {
        flags: '--tool <name>',
        summary: 'tool to accept, or name=tier from 0 to 4 (default: all that are offered)',
        repeats: true,
      },
      { flags: '--drop <name>', summary: 'accepted tool that is accepted no more', repeats: true },
      { flags: '--preset <name>', summary: 'tiers that we reviewed, where no other is given' },
    ],
    examples: [
      'countersign extension accept files --preset filesystem',
      'countersign extension accept github --tool get_me=2 --tool create_issue=3',
      'countersign extension accept github --drop delete_file',
    ],
    load: async () => (await load()).accept,
  },
  {
    name: 'extension try',
    summary: 'say what tiers would have decided about the calls of a server that were made; changes nothing',
    arguments: [named],
    options: [
      {
        flags: '--tool <name>',
        summary: 'tool to try, or name=tier (default: all, as accepted or suggested)',
        repeats: true,
      },
      { flags: '--preset <name>', summary: 'tiers that we reviewed, where no other is given' },
      { flags: '--days <number>', summary: 'how far back (default: 30)' },
    ],
    examples: [
      'countersign extension try github',
      'countersign extension try github --tool create_issue=2 --days 90',
      'countersign extension try home --preset home-assistant',
    ],
    load: async () => (await import('../extension-try.ts')).tryTiers,
  },
  {
    name: 'extension update',
    summary:
      'change how a server is started or reached; its accepted tools stay as long as it describes them as before',
    arguments: [named, words],
    options: [...launch, tiers],
    examples: [
      'countersign extension update recipes --plugin ./recipes',
      'countersign extension update files --package @modelcontextprotocol/server-filesystem@2026.9.4',
    ],
    load: async () => (await load()).update,
  },
  {
    name: 'extension sign-in',
    summary: 'sign in to a server at an address; the card shows who lets in, before your browser goes there',
    arguments: [named],
    options: [
      { flags: '--provider <url>', summary: 'who lets in, where the server names somebody elsewhere' },
      { flags: '--scope <scopes>', summary: 'what to ask for (default: what the server asks for)' },
      { flags: '--client-id <id>', summary: 'client that you registered (default: one is registered)' },
      { flags: '--client-secret', summary: 'that client has a secret, which is asked for' },
      { flags: '--redirect-port <port>', summary: 'port of 127.0.0.1 that your client was registered with' },
      { flags: '--anew', summary: 'find out again who lets in, with a new client' },
    ],
    examples: [
      'countersign extension sign-in notes',
      'countersign extension sign-in notes --provider https://login.example.com',
      'countersign extension sign-in notes --client-id 1234 --client-secret --redirect-port 8765',
      'countersign extension sign-in notes --anew --scope "notes:read notes:write"',
    ],
    load: async () => (await import('../extension-sign-in.ts')).signIn,
  },
  {
    name: 'extension sign-out',
    summary: 'sign out of a server: take its token out of the vault',
    arguments: [named],
    options: [],
    examples: ['countersign extension sign-out notes'],
    load: async () => (await import('../extension-sign-in.ts')).signOut,
  },
  {
    name: 'extension diff',
    summary:
      'say what differs: tools described otherwise than you accepted, another package, or other files of a skill',
    arguments: [named, words],
    options: [...launch, tiers],
    examples: [
      'countersign extension diff github',
      'countersign extension diff files --package @modelcontextprotocol/server-filesystem@2026.9.4',
      'countersign extension diff pdf-forms --skill ./pdf-forms',
    ],
    load: async () => (await import('../extension-diff.ts')).diff,
  },
  {
    name: 'extension hash',
    summary: 'what the publisher of a skill signs: its name and the hash of its files',
    arguments: [named],
    options: [skillPlace, skillCommit],
    examples: ['countersign extension hash pdf-forms --skill ./pdf-forms'],
    load: async () => (await import('../extension-skill.ts')).hash,
  },
  {
    name: 'extension pin',
    summary: 'pin a server, a plugin or a skill: nothing takes its place until you let it go',
    arguments: [named],
    options: [],
    examples: ['countersign extension pin github'],
    load: async () => (await import('../extension-pin.ts')).pin,
  },
  {
    name: 'extension unpin',
    summary: 'let a pinned server, plugin or skill be updated again',
    arguments: [named],
    options: [],
    examples: ['countersign extension unpin github'],
    load: async () => (await import('../extension-pin.ts')).unpin,
  },
  {
    name: 'extension review',
    summary:
      'take the words of a skill, or those of a plugin for the prompt, for reviewed; what an agent wrote is used only after it',
    arguments: [named],
    options: [],
    examples: ['countersign extension review pdf-forms'],
    load: async () => (await loadPlugin()).review,
  },
  {
    name: 'extension pause',
    summary: 'stop a server, a plugin or a skill and take its tools away for now',
    arguments: [named],
    options: [],
    examples: ['countersign extension pause github'],
    load: async () => (await load()).pause,
  },
  {
    name: 'extension resume',
    summary: 'let a paused one go on, with the tools that you accepted',
    arguments: [named],
    options: [],
    examples: ['countersign extension resume github'],
    load: async () => (await load()).resume,
  },
  {
    name: 'extension remove',
    summary: 'remove a server, a plugin or a skill with its files, what it kept and its tools',
    arguments: [named],
    options: [waiting],
    examples: ['countersign extension remove github', 'countersign extension remove invoices --waiting'],
    load: async () => (await load()).remove,
  },
  {
    name: 'extension audit',
    summary: 'say what deserves a look, what each was used for, and what was never used',
    arguments: [],
    options: [],
    examples: ['countersign extension audit', 'countersign extension audit --json'],
    load: async () => (await import('../extension-audit.ts')).audit,
  },
]
