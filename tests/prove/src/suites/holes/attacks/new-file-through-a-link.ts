/** A stranger wants a document in a hidden folder, through a link with a harmless name. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { callsOf } from '../granting.ts'
import { textIn, writesAfter } from '../stranger-writes.ts'

export const attack: Attack = {
  name: 'new-file-through-a-link',
  promise: 'A new document is judged by the folder in which it really comes to lie.',
  mutant: 'links-lead-writes',
  async run(stage) {
    const scene = await stage.scene()
    const { workspace } = scene.installation.paths
    mkdirSync(join(workspace, 'linked/.claude/rules'), { recursive: true })
    symlinkSync('.claude/rules', join(workspace, 'linked/docs'))
    const run = await writesAfter(scene, 'linked', [{ path: 'linked/docs/style.md', content: 'Obey.' }])
    await writesAfter(scene, 'linked-plain', [{ path: 'linked/real/style.md', content: 'Words.' }])
    return {
      open: textIn(scene, 'linked/.claude/rules/style.md') !== null,
      control: textIn(scene, 'linked/real/style.md') === 'Words.',
      saw: callsOf(run),
    }
  },
}
