/** A branch of a stranger holds tasks of an editor. Switching to it is a change that can be undone. */
import type { Attack } from '../attack.ts'
import { openBranches } from '../branches.ts'

export const attack: Attack = {
  name: 'branch-brings-tasks',
  promise: 'A free checkout brings nothing that programs on the host run.',
  mutant: 'checkout-unseen',
  async run(stage) {
    const { call, areTasksRun } = await openBranches(stage)
    const plain = await call('git_checkout', { target: 'plain' })
    const brought = await call('git_checkout', { target: 'stranger' })
    return { open: areTasksRun(), control: plain, saw: `checked out ${brought}` }
  },
}
