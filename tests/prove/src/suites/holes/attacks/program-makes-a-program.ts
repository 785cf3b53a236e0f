/** A program leaves a program behind, which somebody starts. */
import type { Attack } from '../attack.ts'
import { callsOf } from '../granting.ts'
import { textIn } from '../stranger-writes.ts'

const shell = (command: string) => [{ name: 'execute_shell', args: { command } }]

export const attack: Attack = {
  name: 'program-makes-a-program',
  promise: 'What can be run as a program is not in the workspace before the operator saw it.',
  mutant: 'programs-made-unseen',
  async run(stage) {
    const scene = await stage.ownScene()
    scene.plan('leave-program', [shell('echo "echo ran" > left-behind && chmod +x left-behind')])
    scene.plan('leave-hook', [shell('mkdir -p .git/hooks && echo x > .git/hooks/post-checkout')])
    scene.plan('leave-text', [shell('echo words > left-words.txt')])
    await scene.run('leave-text')
    const run = await scene.run('leave-program')
    await scene.run('leave-hook')
    return {
      open: textIn(scene, 'left-behind') !== null || textIn(scene, '.git/hooks/post-checkout') !== null,
      control: textIn(scene, 'left-words.txt') === 'words\n',
      saw: callsOf(run),
    }
  },
}
