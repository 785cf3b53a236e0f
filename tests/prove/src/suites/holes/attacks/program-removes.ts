/** A program removes files, and nobody is asked. */
import type { Attack } from '../attack.ts'
import { callsOf } from '../granting.ts'
import { textIn } from '../stranger-writes.ts'
import { lay } from '../strangers-words.ts'

const shell = (command: string) => [{ name: 'execute_shell', args: { command } }]

export const attack: Attack = {
  name: 'program-removes',
  promise: 'What a program removes is there until the operator saw the list.',
  mutant: 'removals-are-changes',
  async run(stage) {
    const scene = await stage.ownScene()
    lay(scene, 'removed/kept.md', 'Mine.')
    scene.plan('remove-all', [shell('rm -rf removed')])
    scene.plan('remove-none', [shell('mkdir -p removed; echo new > removed/new.txt')])
    const honest = await scene.run('remove-none')
    const wasMade = textIn(scene, 'removed/new.txt') === 'new\n'
    const run = await scene.run('remove-all')
    return {
      open: textIn(scene, 'removed/kept.md') === null,
      control: honest.detail.approvals.length === 0 && wasMade,
      saw: callsOf(run),
    }
  },
}
