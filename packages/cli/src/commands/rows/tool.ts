/** The rows of `countersign tool`. */
import { type CommandRow, needed, optional } from '../../command-row.ts'

export const toolSummary = 'what the agent can do'

const tool = needed('tool', 'the name of a tool')

export const toolRows: readonly CommandRow[] = [
  {
    name: 'tool list',
    summary: 'list the tools that are switched on',
    arguments: [optional('words', 'only tools whose name, group or description holds this')],
    options: [{ flags: '--all', summary: 'also those that are switched off' }],
    examples: ['countersign tool list', 'countersign tool list git --all'],
    load: async () => (await import('../tool.ts')).list,
  },
  {
    name: 'tool show',
    summary: 'show what a tool takes, its tier, its undo and its use',
    arguments: [tool],
    options: [],
    examples: ['countersign tool show write_file'],
    load: async () => (await import('../tool.ts')).show,
  },
  {
    name: 'tool try',
    summary: 'see what a call would touch and need; nothing is done without --run',
    arguments: [tool],
    options: [
      { flags: '--args <json>', summary: 'the arguments as JSON, or @file' },
      { flags: '--run', summary: 'make the call, through policy and approval as ever' },
    ],
    examples: [
      'countersign tool try delete_file --args \'{"path":"old.txt"}\'',
      'countersign tool try calculate --args \'{"expression":"2+2"}\' --run',
    ],
    load: async () => (await import('../tool.ts')).tryTool,
  },
  {
    name: 'tool enable',
    summary: 'switch a tool or a group on',
    arguments: [needed('name', 'a tool or a group')],
    options: [],
    examples: ['countersign tool enable git', 'countersign tool enable execute_python'],
    load: async () => (await import('../tool.ts')).enable,
  },
  {
    name: 'tool disable',
    summary: 'switch a tool or a group off',
    arguments: [needed('name', 'a tool or a group')],
    options: [],
    examples: ['countersign tool disable browser'],
    load: async () => (await import('../tool.ts')).disable,
  },
  {
    name: 'tool preview-card',
    summary: 'see the approval card of a call on every surface',
    arguments: [tool],
    options: [
      { flags: '--args <json>', summary: 'the arguments as JSON, or @file' },
      { flags: '--surface <list>', summary: 'terminal, chat, or both with a comma' },
    ],
    examples: ['countersign tool preview-card execute_shell --args \'{"command":"ls"}\' --surface chat'],
    load: async () => (await import('../tool.ts')).previewCard,
  },
  {
    name: 'tool new',
    summary: 'make a folder with a new tool and its tests',
    arguments: [needed('name', 'lower case with underscores, as in count_lines')],
    options: [
      { flags: '--folder <dir>', summary: 'where to make it; here unless it says so' },
      { flags: '--kind <kind>', summary: 'executor (works on files) or record (works on records)' },
    ],
    examples: [
      'countersign tool new count_lines',
      'countersign tool new keep_line --kind record --folder ~/tools',
    ],
    load: async () => (await import('../tool-lab.ts')).create,
  },
  {
    name: 'tool test',
    summary: 'fuzz a tool, and compare its effects with what it does',
    arguments: [needed('tool', 'a file, a folder that `tool new` made, or a built-in tool')],
    options: [
      { flags: '--args <json>', summary: 'run it with these arguments, or @file' },
      { flags: '--files <folder>', summary: 'what the scratch workspace holds before' },
      { flags: '--open <places>', summary: 'local places it may reach, as localhost:8080, with commas' },
      { flags: '--tool <name>', summary: 'one of several tools of the file' },
      { flags: '--count <number>', summary: 'how many arguments to make; 500' },
      { flags: '--seed <number>', summary: 'make the same arguments again' },
    ],
    examples: [
      'countersign tool test count_lines',
      'countersign tool test ./my-tool.ts --args \'{"path":"a.txt"}\' --files ./sample',
      'countersign tool test write_file --seed 7 --json',
    ],
    load: async () => (await import('../tool-lab.ts')).test,
  },
]
