/** Every file that a program on the host would run is tried with every file tool, and then the host looks. */
import { createRandom } from '../../../../../../packages/executor/src/testing/random.ts'
import { openBench } from '../../exec/bench.ts'
import { tryFreeWrites } from '../../exec/free-writes.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'host-programs-look',
  promise: 'No free write becomes code on the host.',
  mutant: 'host-run-ignored',
  async run(stage) {
    const bench = await openBench()
    stage.afterwards(() => bench.close())
    const { n, wrong } = await tryFreeWrites(bench, { count: 60, random: createRandom(12) })
    const controls = wrong.filter((what) => !what.startsWith('a program of the host ran'))
    return {
      open: wrong.length > controls.length,
      control: controls.length === 0,
      saw: [`${n} ways`, ...wrong.slice(0, 3)].join('; '),
    }
  },
}
