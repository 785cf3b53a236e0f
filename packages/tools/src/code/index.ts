import type { ToolDefinition } from '../definition.ts'
import { compileCode } from './compile-code.ts'
import { executeJavascript } from './execute-javascript.ts'
import { executePython } from './execute-python.ts'
import { executeShell } from './execute-shell.ts'
import { packageManager } from './package-manager.ts'

export const codeTools: readonly ToolDefinition[] = [
  executeShell,
  executeJavascript,
  executePython,
  compileCode,
  packageManager,
]
