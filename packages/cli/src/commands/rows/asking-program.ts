/** The rows of `countersign program` and `countersign mcp`. */
import { type CommandRow, needed, type OptionRow } from '../../command-row.ts'

export const askingProgramSummary = 'other programs that may ask the agent by a token, each within its limits'
export const mcpSummary = 'the gateway as a server of MCP, for programs on this computer'

const name = needed('name', 'name of the program, such as home-assistant')

const limits: readonly OptionRow[] = [
  {
    flags: '--agent <name>',
    summary: 'agent that may answer it; repeatable (default: reception)',
    repeats: true,
  },
  {
    flags: '--as <role>',
    summary: 'guest, or trusted: its words are worth those of a person whom you know (default: guest)',
  },
  {
    flags: '--private <choice>',
    summary: 'on or off: whether it hears answers that may be private (default: off)',
  },
  {
    flags: '--tools <names>',
    summary: 'tools that may be called for it, separated by commas; any or none (default: any)',
  },
  { flags: '--tier <tier>', summary: 'highest tier that is even asked, from 0 to 3 (default: 2)' },
  { flags: '--daily-usd <amount>', summary: 'what its questions may cost in a day (default: 1)' },
  { flags: '--hours <hours>', summary: 'when it is answered, such as 8-22, or always (default: always)' },
  { flags: '--messages-per-hour <count>', summary: 'how many questions are answered (default: 60)' },
]

const commands = async () => import('../asking-program.ts')

export const askingProgramRows: readonly CommandRow[] = [
  {
    name: 'program list',
    summary: 'list the programs that may ask, and what each may',
    arguments: [],
    options: [],
    examples: ['countersign program list', 'countersign program list --json'],
    load: async () => (await commands()).list,
  },
  {
    name: 'program show',
    summary: 'show a program, its limits and what it used today',
    arguments: [name],
    options: [],
    examples: ['countersign program show home-assistant'],
    load: async () => (await commands()).show,
  },
  {
    name: 'program add',
    summary: 'let a program ask; its token is shown once',
    arguments: [name],
    options: limits,
    examples: [
      'countersign program add home-assistant --messages-per-hour 120',
      'countersign program add open-webui --agent reception --agent assistant --as trusted --private on --daily-usd 2',
      'countersign program add desk --as trusted --private on --tools list_notes,read_file',
    ],
    load: async () => (await commands()).add,
  },
  {
    name: 'program limit',
    summary: 'change what a program may; what is left out stays',
    arguments: [name],
    options: limits.map((row) => ({ ...row, summary: row.summary.replace(/ \(default: .+\)$/, '') })),
    examples: [
      'countersign program limit home-assistant --daily-usd 0.50 --hours 6-23',
      'countersign program limit open-webui --private off',
    ],
    load: async () => (await commands()).limit,
  },
  {
    name: 'program pause',
    summary: 'answer a program no more until it is resumed; ends what it began',
    arguments: [name],
    options: [],
    examples: ['countersign program pause home-assistant'],
    load: async () => (await commands()).pause,
  },
  {
    name: 'program resume',
    summary: 'let a paused program ask again',
    arguments: [name],
    options: [],
    examples: ['countersign program resume home-assistant'],
    load: async () => (await commands()).resume,
  },
  {
    name: 'program rotate',
    summary: 'give a program another token; the one before is worth nothing',
    arguments: [name],
    options: [],
    examples: ['countersign program rotate home-assistant'],
    load: async () => (await commands()).rotate,
  },
  {
    name: 'program revoke',
    summary: 'remove a program and end what it began',
    arguments: [name],
    options: [],
    examples: ['countersign program revoke home-assistant'],
    load: async () => (await commands()).revoke,
  },
  {
    name: 'mcp serve',
    summary: 'speak MCP on standard input and output, as a program with its token',
    arguments: [],
    options: [
      {
        flags: '--token-file <path>',
        summary: 'file that holds the token (default: COUNTERSIGN_PROGRAM_TOKEN)',
      },
    ],
    examples: [
      'countersign mcp serve --token-file ~/.config/desk-token',
      'COUNTERSIGN_PROGRAM_TOKEN=cs_… countersign mcp serve --url https://house.example',
    ],
    load: async () => (await import('../mcp-serve.ts')).serve,
  },
]
