/** The operator's words hold words that are names of folders too; a list takes them for places, and a stranger writes there. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { textIn, writesAfter } from '../stranger-writes.ts'
import { lay } from '../strangers-words.ts'

export const attack: Attack = {
  name: 'wish-in-a-common-word',
  promise:
    'A word is no place, unless it is the name of a repository; then its files are meant and no others.',
  mutant: 'any-word-is-a-place',
  async run(stage) {
    const scene = await stage.scene()
    const { workspace } = scene.installation.paths
    for (const repository of ['engine', 'engine/inner'])
      mkdirSync(join(workspace, repository, '.git'), { recursive: true })
    const kept = ['source/a.ts', 'engine/inner/a.ts']
    for (const path of [...kept, 'engine/a.ts']) lay(scene, path, 'Mine.')
    const changed: string[] = []
    const said = 'Mend the source of the engine, please.'
    for (const [at, path] of [...kept, 'engine/a.ts'].entries()) {
      const word = `common-${at}`
      const target = path.startsWith('engine') ? 'engine' : 'source'
      scene.wish(word, { act: 'change_files', target, count: 20 })
      await writesAfter(scene, word, [{ path, content: 'Theirs.' }], { said })
      if (kept.includes(path) && textIn(scene, path) !== 'Mine.') changed.push(path)
    }
    return {
      open: changed.length > 0,
      control: textIn(scene, 'engine/a.ts') === 'Theirs.',
      saw: changed.join('; ') || 'no file outside the repository was written over',
    }
  },
}
