/** Somebody puts other bytes in place of what waits for the operator. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { callsOf } from '../granting.ts'
import { textIn } from '../stranger-writes.ts'
import { lay } from '../strangers-words.ts'

const shell = (command: string) => [{ name: 'execute_shell', args: { command } }]

export const attack: Attack = {
  name: 'held-bytes-swapped',
  promise: 'What is taken over has the bytes that the operator was shown.',
  mutant: 'held-bytes-uncompared',
  async run(stage) {
    const scene = await stage.ownScene()
    const held = join(scene.installation.paths.executor, 'held')
    const plan = (word: string, file: string) => {
      lay(scene, `${word}.txt`, 'old')
      scene.plan(word, [shell(`rm ${word}.txt; echo shown > ${file}`)])
    }
    plan('held-swapped', 'swapped.txt')
    plan('held-honest', 'honest-held.txt')
    await scene.approve(await scene.run('held-honest'))
    const parked = await scene.run('held-swapped')
    for (const name of readdirSync(held)) {
      const file = join(held, name, 'changes', 'swapped.txt')
      if (existsSync(file)) writeFileSync(file, 'other\n')
    }
    const run = await scene.approve(parked)
    return {
      open: textIn(scene, 'swapped.txt') === 'other\n',
      control: textIn(scene, 'honest-held.txt') === 'shown\n',
      saw: callsOf(run),
    }
  },
}
