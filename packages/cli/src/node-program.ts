/** Owns the node program of this host: where it is, how it is asked, and the lines of JSON in which it answers. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** One line of an answer; what it says was written by our own program, and names in it by others. */
export type NodeLine = Readonly<Record<string, unknown>> & { readonly type: string }

/** Gives the exit code once the program has ended. */
export type AskNode = (command: object, take: (line: NodeLine) => void) => Promise<number>

/** Beside the bundled command when published; in the neighbouring package in the repository. */
export function nodeProgram(from: string = import.meta.url): string {
  const here = dirname(fileURLToPath(from))
  const candidates = [join(here, 'node-program.js'), join(here, '..', '..', 'node', 'src', 'main.ts')]
  const found = candidates.find((path) => existsSync(path))
  if (found === undefined)
    throw new Error(`The node program was not found in any of these places: ${candidates.join(', ')}.`)
  return found
}

export const askNode: AskNode = (command, take) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [nodeProgram(), JSON.stringify(command)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const leave = () => undefined
    const pass = () => child.kill('SIGTERM')
    // The terminal gives an interrupt to both; the node ends in its own time and this process follows it.
    process.on('SIGINT', leave)
    process.on('SIGTERM', pass)
    const lines = createInterface({ input: child.stdout })
    lines.on('line', (text) => {
      const line = lineIn(text)
      if (line) take(line)
    })
    child.once('error', reject)
    child.once('close', (code) => {
      process.off('SIGINT', leave)
      process.off('SIGTERM', pass)
      resolve(code ?? 1)
    })
  })

function lineIn(text: string): NodeLine | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && 'type' in value ? (value as NodeLine) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
