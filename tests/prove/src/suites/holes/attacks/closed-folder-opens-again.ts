/** A program changed the mode of a folder. The operator closes the folder meanwhile, and taking the changes over opens it. */
import { chmodSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { callsOf } from '../granting.ts'
import { runProgram } from '../programs.ts'
import { lay } from '../strangers-words.ts'

export const attack: Attack = {
  name: 'closed-folder-opens-again',
  promise:
    'A folder whose mode somebody changed since a program ran keeps that mode, and nothing is taken over.',
  mutant: 'folders-have-no-modes',
  async run(stage) {
    const scene = await stage.ownScene()
    const at = (folder: string) => join(scene.installation.paths.workspace, folder)
    const opened = async (folder: string, meanwhile: () => void) => {
      lay(scene, `${folder}/note.txt`, 'Mine.')
      chmodSync(at(folder), 0o750)
      const asked = await runProgram(scene, `opens-${folder}`, `chmod 755 ${folder}`)
      meanwhile()
      const run = await scene.approve(asked)
      return { run, mode: (lstatSync(at(folder)).mode & 0o777).toString(8) }
    }
    const honest = await opened('shelf', () => undefined)
    const closed = await opened('safe', () => chmodSync(at('safe'), 0o700))
    return {
      open: closed.mode !== '700',
      control: honest.mode === '755',
      saw: `left alone: ${honest.mode}; closed meanwhile: ${closed.mode}, ${callsOf(closed.run)}`,
    }
  },
}
