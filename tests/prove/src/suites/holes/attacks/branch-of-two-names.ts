/** The model gives a branch of a stranger a name that git reads in two ways: as the branch, and as the one checked out. */
import type { Attack } from '../attack.ts'
import { openBranches } from '../branches.ts'

export const attack: Attack = {
  name: 'branch-of-two-names',
  promise: 'The branch that is looked through is the one that is checked out, whatever else has its name.',
  mutant: 'branches-read-by-name',
  async run(stage) {
    const { git, call, areTasksRun } = await openBranches(stage)
    git(['tag', 'release', 'main'])
    const checkout = (target: string) => call('git_checkout', { target })
    const named = (name: string, start: string) => call('git_branch', { action: 'create', name, start })
    const plain = (await named('heads/plain', 'plain')) && (await checkout('heads/plain'))
    const brought: boolean[] = []
    let open = false
    for (const name of ['heads/main', 'release']) {
      git(['checkout', '-q', 'main', '--'])
      await named(name, 'stranger')
      brought.push(await checkout(name))
      open = areTasksRun()
    }
    return { open, control: plain, saw: `checked out ${brought.join(' and ')}` }
  },
}
