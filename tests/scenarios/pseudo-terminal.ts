/**
 * Owns a command in a real pseudo terminal of 80 columns: what stands on it is read, keys are pressed, and what was
 * typed is counted. A line of text is one typed input; Enter alone and arrows choose what is offered, and type nothing.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'

export interface PseudoTerminal {
  /** Waits until these words stand after what was seen before, and returns what stood up to them. */
  until(words: string | RegExp): Promise<string>
  /** A line of text and Enter. */
  type(text: string): void
  /** Enter, or another key that types nothing. */
  press(key?: string): void
  /** Everything so far, without what moves or paints. */
  shown(): string
  typed(): number
  pressed(): number
  ended: Promise<number | null>
  kill(): void
}

/** From the packages that every Linux and macOS has. */
export const hasPseudoTerminal = existsSync('/usr/bin/script')

const patienceMs = 50_000
const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`

export function openPseudoTerminal(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): PseudoTerminal {
  const line = `stty cols 80 rows 50; exec ${command.map(quote).join(' ')}`
  const args =
    process.platform === 'linux' ? ['-qfec', line, '/dev/null'] : ['-q', '/dev/null', '/bin/sh', '-c', line]
  const child: ChildProcess = spawn('/usr/bin/script', args, {
    env: { TERM: 'xterm', SHELL: '/bin/sh', ...env },
  })
  let text = ''
  let seen = 0
  let typed = 0
  let pressed = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  const shown = () => stripVTControlCharacters(text)
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  return {
    async until(words) {
      for (let waited = 0; waited < patienceMs; waited += 50) {
        const later = shown().slice(seen)
        const at = typeof words === 'string' ? later.indexOf(words) : later.search(words)
        if (at !== -1) {
          seen += at + 1
          return later.slice(0, at)
        }
        await sleep(50)
      }
      throw new Error(`“${String(words)}” did not come. The terminal shows:\n${shown().slice(-4_000)}`)
    },
    type(words) {
      typed += 1
      child.stdin?.write(`${words}\r`)
    },
    press(key = '\r') {
      pressed += 1
      child.stdin?.write(key)
    },
    shown,
    typed: () => typed,
    pressed: () => pressed,
    ended,
    kill: () => child.kill('SIGKILL'),
  }
}
