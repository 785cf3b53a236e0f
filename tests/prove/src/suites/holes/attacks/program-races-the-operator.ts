/** The operator saves a file while a program is about to overwrite it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from '../attack.ts'
import { isWritten } from '../sealed-copy.ts'
import { lay } from '../strangers-words.ts'

export const attack: Attack = {
  name: 'program-races-the-operator',
  promise:
    'What somebody changed while a program ran is not overwritten, and nothing of the program is taken over.',
  mutant: 'meanwhile-unseen',
  async run(stage) {
    const scene = await stage.ownScene()
    const { workspace, executor } = scene.installation.paths
    const at = (name: string) => join(workspace, name)
    lay(scene, 'race.md', 'first')
    // The names are made when it runs: what a command names beforehand is compared by its bytes.
    const command = 'f=race b=begun; echo > $b; sleep 1; echo program > $f.md'
    scene.plan('race', [[{ name: 'execute_shell', args: { command } }]])
    scene.plan('honest', [[{ name: 'execute_shell', args: { command: 'h=honest; echo > $h' } }]])
    let isSaved = false
    const saving = (async () => {
      while (!isWritten(executor, 'begun')) await sleep(10)
      writeFileSync(at('race.md'), 'mine')
      isSaved = true
    })()
    const { detail } = await scene.run('race')
    await saving
    await scene.run('honest')
    const text = readFileSync(at('race.md'), 'utf8')
    return {
      open: text !== 'mine' || existsSync(at('begun')),
      control: isSaved && existsSync(at('honest')),
      saw: `the program ended as ${detail.calls[0]?.outcome}; the file holds ${JSON.stringify(text)}`,
    }
  },
}
