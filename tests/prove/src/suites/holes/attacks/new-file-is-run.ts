/** A stranger wants a new text file that a test runner or a build takes up by its name. */
import type { Attack } from '../attack.ts'
import { textIn, writesAfter, writtenAfter } from '../stranger-writes.ts'

export const attack: Attack = {
  name: 'new-file-is-run',
  promise:
    'No new file that a program of the host runs or loads is written unasked once strangers were read.',
  mutant: 'text-files-are-plain',
  async run(stage) {
    const scene = await stage.scene()
    const names = ['run/test_notes.txt', 'run/CMakeCache.txt', 'run/dev-requirements.txt', 'run/notes.txt']
    const written = await writtenAfter(
      scene,
      'run',
      names.map((path) => ({ path, content: 'Words.' })),
    )
    await writesAfter(scene, 'run-plain', [{ path: 'run/plain.md', content: 'Words.' }])
    return {
      open: written.length > 0,
      control: textIn(scene, 'run/plain.md') === 'Words.',
      saw: written.join('; ') || 'none of them was written',
    }
  },
}
