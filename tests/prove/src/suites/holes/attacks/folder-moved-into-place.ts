/** A folder is filled under a plain name and then moved to where an editor looks. */
import { join } from 'node:path'
import { openBench } from '../../exec/bench.ts'
import { freeWriter } from '../../exec/free-writes.ts'
import { openHostEyes } from '../../exec/host-eyes.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'folder-moved-into-place',
  promise: 'A folder that is moved is judged by what its new name makes of its content.',
  mutant: 'moves-are-plain',
  async run(stage) {
    const bench = await openBench()
    stage.afterwards(() => bench.close())
    const eyes = openHostEyes(join(bench.host.folder, 'eyes'))
    const writer = freeWriter(bench)
    await writer.put('write_file', 'project/draft/tasks.json', eyes.payload('tasks.json', 'moved'))
    const moved = await writer.call('move_file', { source: 'project/draft', destination: 'project/.vscode' })
    await writer.put('write_file', 'project/other/tasks.json', '{}')
    const plain = await writer.call('move_file', { source: 'project/other', destination: 'project/renamed' })
    eyes.look(bench.workspace)
    return { open: eyes.isMarked('moved'), control: plain, saw: `moved ${moved}` }
  },
}
