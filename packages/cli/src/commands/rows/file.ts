/** The rows of `countersign file`. */
import type { CommandRow } from '../../command-row.ts'

export const fileSummary = 'trusted and untrusted files'

const path = {
  name: 'path',
  summary: 'path in the workspace (. for all of it), or absolute path on this host',
}

export const fileRows: readonly CommandRow[] = [
  {
    name: 'file marks',
    summary: 'list files and folders with untrusted content',
    arguments: [{ ...path, required: false }],
    options: [],
    examples: ['countersign file marks', 'countersign file marks project --json'],
    load: async () => (await import('../file.ts')).marks,
  },
  {
    name: 'file trust',
    summary: 'mark the current content of a file or folder as trusted',
    arguments: [{ ...path, required: true }],
    options: [],
    examples: ['countersign file trust project', 'countersign file trust ~/Documents'],
    load: async () => (await import('../file.ts')).trust,
  },
  {
    name: 'file distrust',
    summary: 'mark a file or folder as untrusted',
    arguments: [{ ...path, required: true }],
    options: [],
    examples: ['countersign file distrust downloads'],
    load: async () => (await import('../file.ts')).distrust,
  },
]
