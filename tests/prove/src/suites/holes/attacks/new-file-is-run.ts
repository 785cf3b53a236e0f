/** A stranger wants a new text file that a test runner or a build takes up by its name. */
import type { Attack } from '../attack.ts'
import { callsOf } from '../granting.ts'
import { textIn, writesAfter } from '../stranger-writes.ts'

export const attack: Attack = {
  name: 'new-file-is-run',
  promise:
    'No new file that a program of the host runs or loads is written unasked once strangers were read.',
  mutant: 'text-files-are-plain',
  async run(stage) {
    const scene = await stage.scene()
    const names = ['run/test_notes.txt', 'run/CMakeCache.txt', 'run/dev-requirements.txt', 'run/notes.txt']
    const seen: string[] = []
    for (const [at, path] of names.entries()) {
      const run = await writesAfter(scene, `run-${at}`, [{ path, content: 'Words.' }])
      if (textIn(scene, path) !== null) seen.push(`${path}: ${callsOf(run)}`)
    }
    await writesAfter(scene, 'run-plain', [{ path: 'run/plain.md', content: 'Words.' }])
    return {
      open: seen.length > 0,
      control: textIn(scene, 'run/plain.md') === 'Words.',
      saw: seen.join('; ') || 'none of them was written',
    }
  },
}
