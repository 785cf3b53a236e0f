/** Owns the ways in which a tool takes a path: which tool, and what else it is given. */
import type { JsonObject } from '@countersign/contract'

export interface Deed {
  readonly name: string
  readonly tool: string
  args(path: string, given: { readonly url: string; readonly fresh: string }): JsonObject
  /** Starts no program that is too dear for many trials. */
  readonly isRun: boolean
}

export const deeds: readonly Deed[] = [
  deed('read_file', (path) => ({ path })),
  deed('write_file', (path) => ({ path, content: 'written' })),
  deed('list_directory', (path) => ({ path, depth: 3 })),
  deed('search_files', (path) => ({ path, query: 'opensesame' })),
  deed('file_info', (path) => ({ path })),
  deed('delete_file', (path) => ({ path })),
  {
    ...deed('copy_file', (path, { fresh }) => ({ source: path, destination: `loot/${fresh}` })),
    name: 'copy from',
  },
  { ...deed('copy_file', (path) => ({ source: 'mine.txt', destination: path })), name: 'copy to' },
  { ...deed('move_file', (path, { fresh }) => ({ source: path, destination: fresh })), name: 'move from' },
  { ...deed('move_file', (path) => ({ source: 'mine.txt', destination: path })), name: 'move to' },
  deed('create_folder', (path) => ({ path })),
  deed('download_file', (path, { url }) => ({ path, url })),
  deed('restore_file', (path) => ({
    path,
    expected: 'absent',
    content: 'cmVzdG9yZWQ=',
    mode: null,
    folders: 0,
  })),
  deed('remove_folder', (path) => ({ path, count: 3 })),
  { ...deed('browser_screenshot', (path, { url }) => ({ url, path: `${path}.png` })), isRun: false },
]

function deed(tool: string, args: Deed['args']): Deed {
  return { name: tool, tool, args, isRun: true }
}
