/** A link that a repository brought leads to its own settings, in which git on the host finds a program to run. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { openBench } from '../../exec/bench.ts'
import { freeWriter } from '../../exec/free-writes.ts'
import { openHostEyes } from '../../exec/host-eyes.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'git-through-link',
  promise: 'A write is judged by the path that the kernel opens, not by a link that leads there.',
  mutant: 'links-lead-writes',
  async run(stage) {
    const bench = await openBench()
    stage.afterwards(() => bench.close())
    const eyes = openHostEyes(join(bench.host.folder, 'eyes'))
    const writer = freeWriter(bench)
    const clone = join(bench.workspace, 'clone')
    bench.makeRepository(clone)
    symlinkSync('.git', join(clone, 'docs'))
    const text = eyes.payload('config', 'linked')
    const written = await writer.put('write_file', 'clone/docs/config', text)
    const copied = await writer.put('copy_file', 'clone/docs/config', text)
    const plain = await writer.put('write_file', 'clone/real/config', 'Notes.')
    eyes.look(clone)
    return {
      open: eyes.isMarked('linked'),
      control: plain,
      saw: `written ${written}, copied ${copied}`,
    }
  },
}
