/** Owns the real program in a pseudo terminal: types into it as a person would, and remembers when it wrote what. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { createScreen } from './screen.ts'

export interface Terminal {
  type(text: string): void
  /** Everything written so far, without colours and movements of the cursor. */
  text(): string
  /** What a person sees, scrolled up or not. */
  screen(): readonly string[]
  /** Each piece as it came. */
  readonly written: readonly { readonly at: number; readonly text: string }[]
  until(isSo: (text: string) => boolean, what: string, timeoutMs: number): Promise<void>
  /** Leaves as a person would. */
  close(): Promise<void>
}

const columns = 80
const main = fileURLToPath(new URL('./main.ts', import.meta.resolve('@countersign/cli')))

export function openTerminal(home: string, words: readonly string[]): Terminal {
  const program = [process.execPath, '--disable-warning=ExperimentalWarning', main, ...words].join(' ')
  const command = `stty cols ${columns} rows 50; exec ${program}`
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], COUNTERSIGN_HOME: home, TERM: 'xterm', SHELL: '/bin/sh' },
  })
  const gone = once(child, 'exit')
  const written: { at: number; text: string }[] = []
  const screen = createScreen(columns)
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    written.push({ at: Date.now(), text: stripVTControlCharacters(chunk) })
    screen.write(chunk)
  })
  const text = () => written.map((piece) => piece.text).join('')
  return {
    type: (typed) => child.stdin.write(typed),
    text,
    screen: screen.rows,
    written,
    async until(isSo, what, timeoutMs) {
      for (const until = Date.now() + timeoutMs; !isSo(text()); await sleep(20))
        if (Date.now() > until || child.exitCode !== null) throw new Error(`Not seen: ${what}\n${text()}`)
    },
    async close() {
      child.stdin.write('/exit\r')
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await gone
      clearTimeout(timer)
    },
  }
}
