/** A file that strangers wrote has a second name, by which no mark knows it, and a program reads it under that. */
import { linkSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { writesAfter } from '../stranger-writes.ts'
import { writeAfter } from '../strangers-words.ts'

const word = 'GREENGAGE'

export const attack: Attack = {
  name: 'hidden-file-of-two-names',
  promise: 'A file that can be read under another name does not count as hidden.',
  mutant: 'second-names-forgotten',
  async run(stage) {
    const scene = await stage.ownScene()
    const root = scene.installation.paths.workspace
    await writesAfter(scene, 'mark', [{ path: 'kept/page.md', content: `# Page\n\n${word}\n` }])
    const before = await writeAfter(scene, 'before', [shell('cat *.md; true')])
    linkSync(join(root, 'kept/page.md'), join(root, 'second-name.md'))
    const after = await writeAfter(scene, 'after', [shell('cat second-name.md')])
    const isRead = scene.shown('after').includes(word)
    return {
      open: isRead && after === 'allow',
      control: before === 'allow' && isRead,
      saw: `with one name: ${before}; with two: ${after}${isRead ? ', read' : ''}`,
    }
  },
}

const shell = (command: string) => ({ name: 'execute_shell', args: { command } })
