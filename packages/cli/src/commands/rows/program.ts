/** The rows about this program itself. */
import { type CommandRow } from '../../command-row.ts'

export const programRows: readonly CommandRow[] = [
  {
    name: 'paths',
    summary: 'show where files are stored',
    arguments: [],
    options: [],
    examples: ['countersign paths', 'countersign paths --json'],
    load: async () => (await import('../paths.ts')).paths,
  },
  {
    name: 'version',
    summary: 'print the version',
    arguments: [],
    options: [],
    examples: ['countersign version'],
    load: async () => (await import('../version.ts')).version,
  },
  {
    name: 'completion',
    summary: 'print a completion script for a shell',
    arguments: [
      { name: 'shell', summary: 'shell', required: true, choices: ['bash', 'zsh', 'fish', 'pwsh'] },
    ],
    options: [],
    examples: ['source <(countersign completion bash)', 'countersign completion fish | source'],
    load: async () => (await import('../completion.ts')).completion,
  },
]
