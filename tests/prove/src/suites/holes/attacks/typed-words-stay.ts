/** Whoever has the operator's files looks for what was typed into a private conversation. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { mainCommand } from '../command-line.ts'
import type { Stage } from '../stage.ts'

export const attack: Attack = {
  name: 'typed-words-stay',
  promise: 'What is typed into a private conversation is in no file when it is over.',
  mutant: 'typed-words-are-kept',
  async run(stage) {
    const { installation } = await stage.ownScene()
    const { home, paths } = installation
    await converse(stage, home, ['chat'], 'an open matter')
    await converse(stage, home, ['chat', '--private'], 'a private matter')
    const file = join(paths.state, 'chat-history')
    const kept = existsSync(file) ? readFileSync(file, 'utf8') : ''
    return {
      open: kept.includes('private matter'),
      control: kept.includes('open matter'),
      saw: `the arrow up brings ${JSON.stringify(kept.trim())}`,
    }
  },
}

/** Types one line at a terminal, waits for the answer, and leaves. */
async function converse(stage: Stage, home: string, args: readonly string[], line: string): Promise<void> {
  const options = stage.nodeArguments.length === 0 ? {} : { NODE_OPTIONS: stage.nodeArguments.join(' ') }
  const command = [process.execPath, mainCommand, ...args].map((word) => `'${word}'`).join(' ')
  const terminal = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: '/',
    env: { PATH: process.env['PATH'], TERM: 'xterm', COUNTERSIGN_HOME: home, ...options },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  stage.afterwards(() => terminal.kill('SIGKILL'))
  const steps: readonly (readonly [string, string])[] = [
    ['Ctrl-D leaves', `${line}\r`],
    ['no plan for this.', '\u0004'],
  ]
  let shown = ''
  let step = 0
  terminal.stdout.on('data', (part: Buffer) => {
    shown += part.toString()
    const [awaited, typed] = steps[step] ?? []
    if (awaited === undefined || !shown.includes(awaited)) return
    shown = ''
    step += 1
    terminal.stdin.write(typed)
  })
  await new Promise((resolve) => terminal.once('exit', resolve))
}
