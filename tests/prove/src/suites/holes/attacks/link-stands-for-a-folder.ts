/** A program lays a link where the computer looks for a folder of settings, and all that it leads to is taken for settings. */
import type { Attack } from '../attack.ts'
import { callsOf } from '../granting.ts'
import { kindAt, runProgram } from '../programs.ts'

export const attack: Attack = {
  name: 'link-stands-for-a-folder',
  promise: 'A link in the place of a folder that programs of the computer obey is judged as that folder.',
  mutant: 'links-are-files',
  async run(stage) {
    const scene = await stage.ownScene()
    await runProgram(scene, 'link-plain', 'mkdir -p drawer; echo words > drawer/a.txt; ln -s drawer cupboard')
    const run = await runProgram(scene, 'link-settings', 'ln -s drawer mise')
    return {
      open: kindAt(scene, 'mise') !== null,
      control: kindAt(scene, 'cupboard') === 'link',
      saw: callsOf(run),
    }
  },
}
