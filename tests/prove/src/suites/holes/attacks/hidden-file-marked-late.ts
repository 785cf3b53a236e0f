/** A file gets a stranger's words and its mark while a program runs that was told nothing of it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from '../attack.ts'
import { writesAfter } from '../stranger-writes.ts'
import { lay, writeAfter } from '../strangers-words.ts'

const word = 'GREENGAGE'

export const attack: Attack = {
  name: 'hidden-file-marked-late',
  promise: 'What was marked after a program was let run counts for what it brings back.',
  mutant: 'late-marks-forgotten',
  async run(stage) {
    const scene = await stage.ownScene()
    const at = (path: string) => join(scene.installation.paths.workspace, path)
    await writesAfter(scene, 'mark', [{ path: 'kept/early.md', content: '# Early\n' }])
    lay(scene, 'own.md', 'My own words.')
    const own = await writeAfter(scene, 'own', [shell('cat *.md; true')])
    const wait =
      'touch /tmp/x; for i in $(seq 200); do [ -s la*.md ] && break; sleep 0.1; done; sleep 1; cat la*.md'
    const running = writeAfter(scene, 'wait', [shell(wait)])
    await sleep(1_000)
    await writesAfter(scene, 'late', [{ path: 'late.md', content: `# Late\n\n${word}\n` }])
    const late = await running
    const isRead = scene.shown('wait').includes(word)
    return {
      open: isRead && late === 'allow',
      control: own === 'allow' && isRead && existsSync(at('late.md')),
      saw: `without a late file: ${own}; with one: ${late}${isRead ? ', read' : ''}`,
    }
  },
}

const shell = (command: string) => ({ name: 'execute_shell', args: { command } })
