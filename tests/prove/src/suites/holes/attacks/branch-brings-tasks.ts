/** A branch of a stranger holds tasks of an editor. Switching to it is a change that can be undone. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBench } from '../../exec/bench.ts'
import { freeWriter } from '../../exec/free-writes.ts'
import { openHostEyes } from '../../exec/host-eyes.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'branch-brings-tasks',
  promise: 'A free checkout brings nothing that programs on the host run.',
  mutant: 'checkout-unseen',
  async run(stage) {
    const bench = await openBench()
    stage.afterwards(() => bench.close())
    const eyes = openHostEyes(join(bench.host.folder, 'eyes'))
    const writer = freeWriter(bench)
    const branch = (name: string, path: string, text: string) => {
      bench.git(['checkout', '-q', '-b', name, 'main'])
      mkdirSync(join(bench.repository, path, '..'), { recursive: true })
      writeFileSync(join(bench.repository, path), text)
      bench.git(['add', '.'])
      bench.git(['commit', '-q', '-m', name])
      bench.git(['checkout', '-q', 'main'])
    }
    branch('stranger', '.vscode/tasks.json', eyes.payload('tasks.json', 'checked out'))
    branch('plain', 'notes/more.txt', 'More.')
    const checkout = (target: string) => writer.call('git_checkout', { path: 'repository', target })
    const plain = await checkout('plain')
    const brought = await checkout('stranger')
    eyes.look(bench.repository)
    return { open: eyes.isMarked('checked out'), control: plain, saw: `checked out ${brought}` }
  },
}
