/** The same bytes that a program left are written again, which takes a mark away, and the undo brings back what was marked. */
import type { Attack } from '../attack.ts'
import { runProgram } from '../programs.ts'
import { textIn } from '../stranger-writes.ts'
import { lay, read, writeAfter } from '../strangers-words.ts'

const path = 'taken-back/page.md'

export const attack: Attack = {
  name: 'undo-of-a-program-forgets',
  promise:
    'What an undo of a program brings back bears the mark of its path, whoever took the mark away since.',
  mutant: 'restores-are-clean',
  async run(stage) {
    const scene = await stage.ownScene()
    const { client } = scene.gateway
    lay(scene, path, 'Theirs.\n')
    const replaced = await runProgram(scene, 'replace', `echo Mine. > ${path}`)
    // The operator learns whose words they were.
    await client.distrustFile(path)
    const marked = await writeAfter(scene, 'marked', [read(path)])
    scene.plan('same', [[{ name: 'write_file', args: { path, content: 'Mine.\n' } }]])
    await scene.run('same')
    const covered = await writeAfter(scene, 'covered', [read(path)])
    const undoing = await client.undoRun(replaced.id)
    await scene.settled(undoing.run)
    const after = await writeAfter(scene, 'after', [read(path)])
    return {
      open: after === 'allow',
      control: marked === 'ask' && covered === 'allow' && textIn(scene, path) === 'Theirs.\n',
      saw: `a write after the mark: ${marked}; after the same bytes: ${covered}; after the undo: ${after}`,
    }
  },
}
