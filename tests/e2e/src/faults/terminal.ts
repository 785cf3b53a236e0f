/** Owns a person's terminal in a test: the command line as a process of its own, what it wrote, and what is typed into it. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Installation } from '@countersign/harness'
import { until } from '../until.ts'

export interface Terminal {
  text(): string
  type(line: string): void
  /** Resolves when it has written this, with all that it wrote. */
  shows(wanted: RegExp): Promise<string>
  /** Its exit code. */
  readonly ended: Promise<number | null>
  close(): Promise<void>
}

const main = fileURLToPath(new URL('../../../../packages/cli/src/main.ts', import.meta.url))

export function openTerminal({ home }: Pick<Installation, 'home'>, args: readonly string[]): Terminal {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env['PATH'], COUNTERSIGN_HOME: home, NO_COLOR: '1', COLUMNS: '100' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let text = ''
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    text: () => text,
    type: (line) => child.stdin.write(`${line}\n`),
    shows: (wanted) =>
      until(() => wanted.test(text) && text, { what: `${String(wanted)} in the terminal` }).catch(
        (error: Error) => {
          throw new Error(`${error.message}\nIt shows:\n${text}`)
        },
      ),
    ended,
    async close() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** One command to its end: everything that it wrote. */
export async function command(installation: Pick<Installation, 'home'>, ...args: string[]): Promise<string> {
  const terminal = openTerminal(installation, args)
  await terminal.ended
  return terminal.text()
}
