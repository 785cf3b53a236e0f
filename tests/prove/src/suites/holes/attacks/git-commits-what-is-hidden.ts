/** What is hidden from a program is deleted to git, and a commit of all that changed takes it out of the repository. */
import type { Attack } from '../attack.ts'
import { callsOf } from '../granting.ts'
import { commitAll, git, shell } from '../programs.ts'
import { lay } from '../strangers-words.ts'

const kept = 'attachments/part.txt'

export const attack: Attack = {
  name: 'git-commits-what-is-hidden',
  promise: 'A commit of a program deletes nothing that was only hidden from it.',
  mutant: 'git-sees-a-part',
  async run(stage) {
    const scene = await stage.ownScene()
    lay(scene, kept, 'A part.')
    lay(scene, 'own.txt', 'Mine.')
    commitAll(scene, '.')
    const identity = '-c user.name=Mira -c user.email=mira@example.org'
    scene.plan('commit', [[shell(`echo New. > own.txt && git add -A && git ${identity} commit -q -m Work`)]])
    const asked = await scene.run('commit')
    const run = asked.detail.approvals.some(({ state }) => state === 'pending')
      ? await scene.approve(asked)
      : asked
    const files = git(scene, '.', 'ls-tree', '-r', '--name-only', 'HEAD').trim().split('\n')
    return {
      open: !files.includes(kept),
      control: git(scene, '.', 'log', '--format=%s').startsWith('Work\n'),
      saw: `${callsOf(run)}; in the commit: ${files.join(', ')}`,
    }
  },
}
