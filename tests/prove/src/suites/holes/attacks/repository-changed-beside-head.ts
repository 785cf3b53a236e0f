/** The operator keeps a bare repository in the workspace. Its settings have names like any other file. */
import { join } from 'node:path'
import { openBench } from '../../exec/bench.ts'
import { freeWriter } from '../../exec/free-writes.ts'
import { openHostEyes } from '../../exec/host-eyes.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'repository-changed-beside-head',
  promise: 'Nothing in a folder that git takes for a repository is changed without a question.',
  mutant: 'heads-unseen',
  async run(stage) {
    const bench = await openBench()
    stage.afterwards(() => bench.close())
    const eyes = openHostEyes(join(bench.host.folder, 'eyes'))
    const writer = freeWriter(bench)
    bench.git(['init', '-q', '--bare', join(bench.workspace, 'mirror')], bench.workspace)
    // Git looks for a program only where there are files, so the settings name a work tree.
    const deleted = await writer.call('delete_file', { path: 'mirror/config' })
    const written = await writer.put('write_file', 'mirror/config', eyes.payload('config', 'mirror'))
    const plain = await writer.put('write_file', 'mirror-notes/config', 'Notes.')
    eyes.look(join(bench.workspace, 'mirror'))
    return { open: eyes.isMarked('mirror'), control: plain, saw: `deleted ${deleted}, written ${written}` }
  },
}
