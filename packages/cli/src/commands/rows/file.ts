/** The rows of `countersign file`. */
import type { CommandRow } from '../../command-row.ts'

export const fileSummary = 'which files hold text of strangers, and which are yours'

const path = {
  name: 'path',
  summary: 'a path in the workspace (. for all of it), or an absolute path on this host',
}

export const fileRows: readonly CommandRow[] = [
  {
    name: 'file marks',
    summary: 'list the files and folders that hold text of strangers',
    arguments: [{ ...path, required: false }],
    options: [],
    examples: ['countersign file marks', 'countersign file marks project --json'],
    load: async () => (await import('../file.ts')).marks,
  },
  {
    name: 'file trust',
    summary: 'say that a file or a folder, as it is now, is yours',
    arguments: [{ ...path, required: true }],
    options: [],
    examples: ['countersign file trust project', 'countersign file trust ~/Documents'],
    load: async () => (await import('../file.ts')).trust,
  },
  {
    name: 'file distrust',
    summary: 'mark a file or a folder as text of strangers',
    arguments: [{ ...path, required: true }],
    options: [],
    examples: ['countersign file distrust downloads'],
    load: async () => (await import('../file.ts')).distrust,
  },
]
