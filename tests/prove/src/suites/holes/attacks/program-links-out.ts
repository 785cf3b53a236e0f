/** A program leaves a link in the workspace that leads out of it. */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { callsOf } from '../granting.ts'

const shell = (command: string) => [{ name: 'execute_shell', args: { command } }]

export const attack: Attack = {
  name: 'program-links-out',
  promise: 'A link that leads out of the workspace is not there before the operator saw it.',
  mutant: 'links-lead-nowhere',
  async run(stage) {
    const scene = await stage.ownScene()
    const isThere = (path: string) =>
      lstatSync(join(scene.installation.paths.workspace, path), { throwIfNoEntry: false }) !== undefined
    scene.plan('link-out', [shell('ln -s /etc way-out; mkdir -p way; ln -s ../../.. way/out')])
    scene.plan('link-in', [shell('echo > way-target.txt; ln -s way-target.txt way-in')])
    await scene.run('link-in')
    const run = await scene.run('link-out')
    return { open: isThere('way-out') || isThere('way/out'), control: isThere('way-in'), saw: callsOf(run) }
  },
}
