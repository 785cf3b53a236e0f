/** The operator keeps a link out of the workspace. A program leaves one that leads out through it and does not look so. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { callsOf } from '../granting.ts'
import { kindAt, runProgram } from '../programs.ts'

export const attack: Attack = {
  name: 'program-links-through-a-link',
  promise: 'A link leads where all links on its way lead, also those that were there before.',
  mutant: 'links-lead-where-they-say',
  async run(stage) {
    const scene = await stage.ownScene()
    const at = (path: string) => join(scene.installation.paths.workspace, path)
    mkdirSync(at('links/drawer/inner'), { recursive: true })
    symlinkSync('/etc', at('links/mine'))
    symlinkSync('drawer/inner', at('links/near'))
    await runProgram(scene, 'through-near', 'ln -s near links/in')
    const run = await runProgram(scene, 'through-mine', 'ln -s mine/ssl links/out')
    return {
      open: kindAt(scene, 'links/out') !== null,
      control: kindAt(scene, 'links/in') === 'link',
      saw: callsOf(run),
    }
  },
}
