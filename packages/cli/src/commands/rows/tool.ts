/** The rows of `countersign tool`. */
import { type CommandRow, needed, optional } from '../../command-row.ts'

export const toolSummary = 'tools of the agent'

const tool = needed('tool', 'the name of a tool')

export const toolRows: readonly CommandRow[] = [
  {
    name: 'tool list',
    summary: 'list enabled tools',
    arguments: [optional('words', 'only tools whose name, group or description contains this')],
    options: [{ flags: '--all', summary: 'include disabled tools' }],
    examples: ['countersign tool list', 'countersign tool list git --all'],
    load: async () => (await import('../tool.ts')).list,
  },
  {
    name: 'tool show',
    summary: 'show a tool: parameters, tier, undo and usage',
    arguments: [tool],
    options: [],
    examples: ['countersign tool show write_file'],
    load: async () => (await import('../tool.ts')).show,
  },
  {
    name: 'tool try',
    summary: 'show what a call would affect and need; does nothing without --run',
    arguments: [tool],
    options: [
      { flags: '--args <json>', summary: 'arguments as JSON, or @file' },
      { flags: '--run', summary: 'make the call, subject to policy and approval' },
    ],
    examples: [
      'countersign tool try delete_file --args \'{"path":"old.txt"}\'',
      'countersign tool try calculate --args \'{"expression":"2+2"}\' --run',
    ],
    load: async () => (await import('../tool.ts')).tryTool,
  },
  {
    name: 'tool enable',
    summary: 'enable a tool or a group',
    arguments: [needed('name', 'a tool or a group')],
    options: [],
    examples: ['countersign tool enable git', 'countersign tool enable execute_python'],
    load: async () => (await import('../tool.ts')).enable,
  },
  {
    name: 'tool disable',
    summary: 'disable a tool or a group',
    arguments: [needed('name', 'a tool or a group')],
    options: [],
    examples: ['countersign tool disable browser'],
    load: async () => (await import('../tool.ts')).disable,
  },
  {
    name: 'tool preview-card',
    summary: 'show the approval card of a call on every surface',
    arguments: [tool],
    options: [
      { flags: '--args <json>', summary: 'arguments as JSON, or @file' },
      { flags: '--surface <list>', summary: 'surfaces: terminal, chat, or both with a comma' },
    ],
    examples: ['countersign tool preview-card execute_shell --args \'{"command":"ls"}\' --surface chat'],
    load: async () => (await import('../tool.ts')).previewCard,
  },
  {
    name: 'tool new',
    summary: 'create a folder with a new tool and its tests',
    arguments: [needed('name', 'lower case with underscores, as in count_lines')],
    options: [
      { flags: '--folder <dir>', summary: 'parent folder (default: the current folder)' },
      { flags: '--kind <kind>', summary: 'kind: executor (works on files) or record (works on records)' },
    ],
    examples: [
      'countersign tool new count_lines',
      'countersign tool new keep_line --kind record --folder ~/tools',
    ],
    load: async () => (await import('../tool-lab.ts')).create,
  },
  {
    name: 'tool test',
    summary: 'fuzz a tool and compare its declared effects with its actions',
    arguments: [needed('tool', 'a file, a folder that `tool new` made, or a built-in tool')],
    options: [
      { flags: '--args <json>', summary: 'run it with these arguments as JSON, or @file' },
      { flags: '--files <folder>', summary: 'initial content of the scratch workspace' },
      {
        flags: '--open <places>',
        summary: 'local addresses it may reach, such as localhost:8080, separated by commas',
      },
      { flags: '--tool <name>', summary: 'which tool, if the file has several' },
      { flags: '--count <number>', summary: 'number of generated arguments (default: 500)' },
      { flags: '--seed <number>', summary: 'seed that generates the same arguments again' },
    ],
    examples: [
      'countersign tool test count_lines',
      'countersign tool test ./my-tool.ts --args \'{"path":"a.txt"}\' --files ./sample',
      'countersign tool test write_file --seed 7 --json',
    ],
    load: async () => (await import('../tool-lab.ts')).test,
  },
]
