/** Runs suites at once, each in a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))

/** Resolves with whether all ended well. What a suite prints comes when it has ended, so that lines of two never mix. */
export async function runAtOnce(
  jobs: number,
  names: readonly string[],
  options: readonly string[],
): Promise<boolean> {
  const waiting = [...names]
  let allWell = true
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const child = spawn(process.execPath, [main, name, ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
      const [[status], printed, said] = await Promise.all([
        once(child, 'close'),
        text(child.stdout),
        text(child.stderr),
      ])
      process.stderr.write(said)
      process.stdout.write(printed)
      if (status !== 0) allWell = false
    }
  }
  await Promise.all(Array.from({ length: jobs }, worker))
  return allWell
}
