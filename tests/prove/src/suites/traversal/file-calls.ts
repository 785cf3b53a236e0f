/** Owns the ways in which a tool takes a path: which tool, and what else it is given. */
import type { JsonObject } from '@countersign/contract'

export interface FileCall {
  readonly name: string
  readonly tool: string
  args(path: string, given: { readonly url: string; readonly fresh: string }): JsonObject
  /** Starts no program that is too dear for many trials. */
  readonly isRun: boolean
}

export const fileCalls: readonly FileCall[] = [
  fileCall('read_file', (path) => ({ path })),
  fileCall('write_file', (path) => ({ path, content: 'written' })),
  fileCall('list_directory', (path) => ({ path, depth: 3 })),
  fileCall('search_files', (path) => ({ path, query: 'opensesame' })),
  fileCall('file_info', (path) => ({ path })),
  fileCall('delete_file', (path) => ({ path })),
  {
    ...fileCall('copy_file', (path, { fresh }) => ({ source: path, destination: `loot/${fresh}` })),
    name: 'copy from',
  },
  { ...fileCall('copy_file', (path) => ({ source: 'mine.txt', destination: path })), name: 'copy to' },
  {
    ...fileCall('move_file', (path, { fresh }) => ({ source: path, destination: fresh })),
    name: 'move from',
  },
  { ...fileCall('move_file', (path) => ({ source: 'mine.txt', destination: path })), name: 'move to' },
  fileCall('create_folder', (path) => ({ path })),
  fileCall('download_file', (path, { url }) => ({ path, url })),
  fileCall('write_binary_file', (path) => ({ path, base64: 'cmVzdG9yZWQ=' })),
  fileCall('write_upload', (path) => ({ path, sha256: '0'.repeat(64), size: 8 })),
  fileCall('restore_file', (path) => ({
    path,
    expected: 'absent',
    content: 'cmVzdG9yZWQ=',
    mode: null,
    folders: 0,
  })),
  fileCall('remove_folder', (path) => ({ path, count: 3 })),
  { ...fileCall('browser_screenshot', (path, { url }) => ({ url, path: `${path}.png` })), isRun: false },
]

function fileCall(tool: string, args: FileCall['args']): FileCall {
  return { name: tool, tool, args, isRun: true }
}
