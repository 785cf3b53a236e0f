/** A program opens a private file to other users of the computer, which changes not a byte of it. */
import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { linesOnCard, runProgram } from '../programs.ts'
import { lay } from '../strangers-words.ts'

export const attack: Attack = {
  name: 'program-opens-a-file',
  promise:
    'A mode that lets others do more with a file waits for the operator, and the card says both modes.',
  mutant: 'modes-are-plain',
  async run(stage) {
    const scene = await stage.ownScene()
    const modeOf = (path: string) => statSync(fileAt(path)).mode & 0o777
    const fileAt = (path: string) => join(scene.installation.paths.workspace, path)
    lay(scene, 'modes/key.txt', 'Mine.')
    lay(scene, 'modes/note.txt', 'Mine.')
    chmodSync(fileAt('modes/key.txt'), 0o600)
    chmodSync(fileAt('modes/note.txt'), 0o644)
    await runProgram(scene, 'mode-closes', 'chmod 600 modes/note.txt')
    const run = await runProgram(scene, 'mode-opens', 'chmod 644 modes/key.txt')
    const lines = linesOnCard(run)
    const isTold = lines.some((line) => line.includes('mode 600 becomes 644'))
    return {
      open: modeOf('modes/key.txt') !== 0o600 || !isTold,
      control: modeOf('modes/note.txt') === 0o600,
      saw: `${modeOf('modes/key.txt').toString(8)}; on the card: ${lines.join(' ⏎ ')}`,
    }
  },
}
