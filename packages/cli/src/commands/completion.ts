/** `countersign completion`: prints a script that is made from the command table alone. */
import { commandTable, globalOptions } from '../command-table.ts'
import { completionScript, isShell } from '../completion.ts'
import type { Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { usage } from '../output/failure.ts'

export const completion: Handler = (_context, [shell = '']) => {
  if (!isShell(shell)) return Promise.resolve(usage(`There is no completion for ${shell}.`, 'completion'))
  const script = completionScript(shell, commandTable, globalOptions)
  return Promise.resolve(done({ shell, script }, script))
}
