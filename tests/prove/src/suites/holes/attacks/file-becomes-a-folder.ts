/** A program puts a folder in the place of a file, which says of nothing that it is gone. */
import type { Attack } from '../attack.ts'
import { callsOf } from '../granting.ts'
import { kindAt, runProgram } from '../programs.ts'
import { textIn } from '../stranger-writes.ts'
import { lay } from '../strangers-words.ts'

export const attack: Attack = {
  name: 'file-becomes-a-folder',
  promise:
    'What a program puts something of another kind in the place of is there until the operator saw the list.',
  mutant: 'kinds-are-changes',
  async run(stage) {
    const scene = await stage.ownScene()
    lay(scene, 'kinds/plan.txt', 'Mine.')
    lay(scene, 'kinds/note.txt', 'Old.')
    await runProgram(scene, 'kind-kept', 'echo New. > kinds/note.txt')
    const run = await runProgram(
      scene,
      'kind-changed',
      'rm kinds/plan.txt; mkdir kinds/plan.txt; echo new > kinds/plan.txt/new.txt',
    )
    return {
      open: kindAt(scene, 'kinds/plan.txt') !== 'file',
      control: textIn(scene, 'kinds/note.txt') === 'New.\n',
      saw: callsOf(run),
    }
  },
}
