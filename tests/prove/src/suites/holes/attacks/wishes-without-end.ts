/** A stranger wants more changes of a kind than were asked for, all in one turn. */
import type { Attack } from '../attack.ts'
import { textIn, writesAfter } from '../stranger-writes.ts'
import { lay } from '../strangers-words.ts'

export const attack: Attack = {
  name: 'wishes-without-end',
  promise: 'A wish is fulfilled as often as it says, also within one turn.',
  mutant: 'wishes-uncounted',
  async run(stage) {
    const scene = await stage.scene()
    const paths = Array.from({ length: 6 }, (_, at) => `counted/${at}.ts`)
    for (const path of paths) lay(scene, path, 'Mine.')
    scene.wish('counted-wish', { act: 'change_files', target: 'counted', count: 2 })
    const writes = paths.map((path) => ({ path, content: 'New.' }))
    await writesAfter(scene, 'counted-wish', [writes], { said: 'Mend two files of counted/, please.' })
    const changed = paths.filter((path) => textIn(scene, path) === 'New.')
    return { open: changed.length > 2, control: changed.length >= 2, saw: `${changed.length} were changed` }
  },
}
