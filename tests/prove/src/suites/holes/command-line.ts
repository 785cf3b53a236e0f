/** Runs the command `countersign` as an operator does, in a process of its own, with the mutant in it. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const mainCommand = fileURLToPath(new URL('../../../../../packages/cli/src/main.ts', import.meta.url))

export interface CommandOutcome {
  readonly exit: number
  readonly output: string
  readonly errors: string
}

export interface CommandSetting {
  /** Nothing else is in the environment but the path to programs. */
  readonly environment: Readonly<Record<string, string>>
  readonly nodeArguments: readonly string[]
  /** As another Unix user. */
  readonly user?: { readonly uid: number; readonly gid: number }
}

export function runCommand(args: readonly string[], setting: CommandSetting): Promise<CommandOutcome> {
  const { environment, nodeArguments, user } = setting
  // What a command starts, such as the gateway, gets the mutant too.
  const options = nodeArguments.length === 0 ? {} : { NODE_OPTIONS: nodeArguments.join(' ') }
  const child = spawn(process.execPath, [mainCommand, ...args], {
    cwd: '/',
    env: { PATH: process.env['PATH'], ...options, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (part: Buffer) => {
    output += part.toString()
  })
  child.stderr.on('data', (part: Buffer) => {
    errors += part.toString()
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve({ exit: code ?? -1, output, errors }))
  })
}

/** One field of the JSON that a command printed; empty where there is none. */
export function fieldOf(text: string, ...path: readonly string[]): string {
  try {
    let value: unknown = JSON.parse(text)
    for (const name of path) value = (value as Record<string, unknown> | undefined)?.[name]
    return typeof value === 'string' ? value : ''
  } catch (error) {
    if (error instanceof SyntaxError) return ''
    throw error
  }
}
