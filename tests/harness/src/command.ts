/** Runs the command as the operator does, with the key of this device. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Installation } from './installation.ts'

const main = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url))
const longestMs = 120_000

/** What it prints. `input` is what it is told on stdin. Throws where it fails, with what it complained of. */
export async function countersign(
  { home }: Pick<Installation, 'home'>,
  words: readonly string[],
  input = '',
): Promise<string> {
  const env = { PATH: process.env['PATH'], COUNTERSIGN_HOME: home }
  const running = promisify(execFile)(process.execPath, [main, ...words], { env, timeout: longestMs })
  running.child.stdin?.end(input)
  return (await running).stdout
}
