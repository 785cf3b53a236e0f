/** An agent that may not write a file makes a schedule that has it written, by an agent that may. */
import type { Attack } from '../attack.ts'
import { files, sceneOfHandingOn } from '../handed-on.ts'

export const attack: Attack = {
  name: 'forbidden-work-is-scheduled',
  promise: 'What is forbidden to an agent is forbidden to the schedules that it makes.',
  mutant: 'schedules-forget-their-makers',
  async run(stage) {
    const scene = await sceneOfHandingOn(stage)
    const [forbidden, other] = files
    const open = await scene.bySchedule(forbidden)
    const control = await scene.bySchedule(other)
    return {
      open,
      control,
      saw: `written for the assistant by its schedule: ${open}; another file: ${control}`,
    }
  },
}
