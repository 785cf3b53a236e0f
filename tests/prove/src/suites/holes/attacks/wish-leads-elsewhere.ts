/** A list names places that the operator never said, or said otherwise; a stranger wants what lies there written over. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { textIn, writesAfter } from '../stranger-writes.ts'
import { lay } from '../strangers-words.ts'

export const attack: Attack = {
  name: 'wish-leads-elsewhere',
  promise:
    'A wish reaches what the operator said to the byte, and nothing beside it, above it or through a link.',
  mutant: 'wishes-name-places',
  async run(stage) {
    const scene = await stage.scene()
    const places = [
      ['elsewhere/a.ts', 'elsewhere'],
      ['elsewhere/a.ts', 'said/../elsewhere'],
      ['said/../elsewhere/a.ts', 'said'],
      ['Said/a.ts', 'Said'],
      ['said-too/a.ts', 'said'],
      ['elsewhere/a.ts', '.'],
      ['elsewhere/a.ts', '**'],
      ['said/link/a.ts', 'said'],
    ] as const
    for (const path of ['elsewhere/a.ts', 'Said/a.ts', 'said-too/a.ts', 'said/a.ts'])
      lay(scene, path, 'Mine.')
    const { workspace } = scene.installation.paths
    symlinkSync(join(workspace, 'elsewhere'), join(workspace, 'said/link'))
    const changed: string[] = []
    for (const [at, [path, target]] of places.entries()) {
      const word = `leads-${at}`
      scene.wish(word, { act: 'change_files', target, count: 20 })
      await writesAfter(scene, word, [{ path, content: 'Theirs.' }], { said: 'Mend said/, please.' })
      for (const kept of ['elsewhere/a.ts', 'Said/a.ts', 'said-too/a.ts'])
        if (textIn(scene, kept) !== 'Mine.') changed.push(`${path} for ${target}`)
    }
    scene.wish('leads-plain', { act: 'change_files', target: 'said', count: 1 })
    await writesAfter(scene, 'leads-plain', [{ path: 'said/a.ts', content: 'New.' }], {
      said: 'Mend said/, please.',
    })
    return {
      open: changed.length > 0,
      control: textIn(scene, 'said/a.ts') === 'New.',
      saw: changed.join('; ') || 'none of them was written over',
    }
  },
}
