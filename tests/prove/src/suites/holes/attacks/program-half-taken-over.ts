/** The executor dies while it puts in place what a program changed. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { approve, executorOf, settledRun } from '@countersign/harness'
import type { Attack } from '../attack.ts'
import { lay, read, writeAfter } from '../strangers-words.ts'

const files = 3_000

export const attack: Attack = {
  name: 'program-half-taken-over',
  promise:
    'What a program changed is in the workspace whole or not at all, also when the executor is killed.',
  mutant: 'half-stays',
  async run(stage) {
    const scene = await stage.ownScene()
    const { installation, gateway } = scene
    const folder = join(installation.paths.workspace, 'many')
    for (let index = 0; index < files; index += 1) lay(scene, `many/f${index}`, 'old')
    lay(scene, 'own.md', 'My own words.')
    const changed = () =>
      readdirSync(folder).filter(
        (name) => name.startsWith('f') && readFileSync(join(folder, name), 'utf8') !== 'old',
      )
    const command = 'd=many; for f in $d/*; do echo new > $f; done'
    scene.plan('many', [[{ name: 'execute_shell', args: { command } }]])
    const run = await scene.run('many')
    const [card] = run.detail.approvals
    if (!card) throw new Error('The program did not ask.')
    await approve(installation, gateway.client, card.id)
    while (changed().length === 0) await sleep(1)
    process.kill(executorOf(gateway.pid), 'SIGKILL')
    const atOnce = changed().length
    const lost = await settledRun(gateway.client, run.id, 'either', 60_000)
    // The next call is served by the next executor.
    await writeAfter(scene, 'next', [read('own.md')])
    const left = changed().length
    return {
      open: left > 0 && left < files,
      control: lost.calls.some(({ outcome }) => outcome === 'unknown'),
      saw: `${atOnce} of ${files} files were changed when it died, and ${left} at the next call`,
    }
  },
}
