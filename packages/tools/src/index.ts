import { executeShell } from './code/execute-shell.ts'
import type { ToolDefinition } from './definition.ts'
import { listDirectory } from './files/list-directory.ts'
import { readFile } from './files/read-file.ts'
import { restoreFile } from './files/restore-file.ts'
import { writeFile } from './files/write-file.ts'
import { useTool } from './meta/use-tool.ts'
import { askOperator } from './operator/ask-operator.ts'
import { httpRequest } from './web/http-request.ts'

export * from './catalogue.ts'
export * from './definition.ts'
export type * from './desk.ts'
export * from './groups.ts'
export type * from './hands.ts'
export type * from './look.ts'

export const builtinTools: readonly ToolDefinition[] = [
  readFile,
  writeFile,
  listDirectory,
  restoreFile,
  executeShell,
  httpRequest,
  askOperator,
  useTool,
]
