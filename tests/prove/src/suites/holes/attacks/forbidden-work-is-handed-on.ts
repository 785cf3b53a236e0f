/** An agent that may not write a file has another one write it: by a task, and by a plan. */
import type { Attack } from '../attack.ts'
import { files, sceneOfHandingOn } from '../handed-on.ts'

export const attack: Attack = {
  name: 'forbidden-work-is-handed-on',
  promise: 'What is forbidden to an agent is forbidden to the work that it hands on.',
  mutant: 'forbids-hold-for-the-caller',
  async run(stage) {
    const scene = await sceneOfHandingOn(stage)
    const [forbidden, other] = files
    if (await scene.byItself(forbidden)) throw new Error('The rule does not hold at all.')
    const open = { task: await scene.byTask(forbidden), plan: false }
    // What one way wrote says nothing about the next.
    open.plan = !open.task && (await scene.byPlan(forbidden))
    const control = { task: await scene.byTask(other), plan: await scene.byPlan(`plain-${other}`) }
    return {
      open: open.task || open.plan,
      control: control.task && control.plan,
      saw: `written for the assistant by a task: ${open.task}, by a plan: ${open.plan}; another file: ${control.task}, ${control.plan}`,
    }
  },
}
