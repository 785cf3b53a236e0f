/** Where every look is free, a file outside the workspace is read. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { callsOf, sceneAt } from '../granting.ts'

export const attack: Attack = {
  name: 'outside-file-read',
  promise: 'A look outside the workspace asks, even at the level that allows most.',
  mutant: 'outside-is-free',
  async run(stage) {
    const scene = await sceneAt(stage, 'full')
    const folder = join(scene.installation.home, 'papers')
    mkdirSync(folder)
    writeFileSync(join(folder, 'letter.txt'), 'Dear Mira')
    writeFileSync(join(scene.installation.paths.workspace, 'inside.txt'), 'Inside.')
    scene.plan('inside', [[{ name: 'read_file', args: { path: 'inside.txt' } }]])
    scene.plan('read', [[{ name: 'read_file', args: { path: join(folder, 'letter.txt') } }]])
    const inside = await scene.run('inside')
    const outside = await scene.run('read')
    return {
      open: outside.detail.calls[0]?.outcome === 'ok',
      control: inside.detail.calls[0]?.outcome === 'ok',
      saw: callsOf(outside),
    }
  },
}
