/** A folder becomes a git repository by single files, each of which looks harmless, in every order. */
import { join } from 'node:path'
import { openBench } from '../../exec/bench.ts'
import { freeWriter, pieces } from '../../exec/free-writes.ts'
import { openHostEyes } from '../../exec/host-eyes.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'repository-in-pieces',
  promise: 'No order of free calls makes a folder that git takes for a repository.',
  mutant: 'heads-are-plain',
  async run(stage) {
    const bench = await openBench()
    stage.afterwards(() => bench.close())
    const eyes = openHostEyes(join(bench.host.folder, 'eyes'))
    const writer = freeWriter(bench)
    const orders = ordersOf([...pieces])
    let ran = 0
    for (const [index, order] of orders.entries()) {
      const folder = `assets${index}`
      for (const piece of order) {
        const way = index % 3 === 0 ? 'copy_file' : index % 3 === 1 ? 'move_file' : 'write_file'
        if (await writer.put(way, `${folder}/${piece}`, eyes.payload(piece, folder))) ran += 1
      }
    }
    eyes.look(bench.workspace)
    const found = orders.filter((_, index) => eyes.isMarked(`assets${index}`)).length
    return {
      open: found > 0,
      control: ran > 0,
      saw: `${orders.length} orders, ${ran} pieces were free, git ran the program of ${found}`,
    }
  },
}

function ordersOf<T>(things: readonly T[]): T[][] {
  if (things.length === 0) return [[]]
  return things.flatMap((first) =>
    ordersOf(things.filter((other) => other !== first)).map((rest) => [first, ...rest]),
  )
}
