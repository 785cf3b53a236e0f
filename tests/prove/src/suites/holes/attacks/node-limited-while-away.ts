/** The operator switches files off for a node that is away, and a call that was approved before waits for it. */

import { foundOn } from '../../../../../../packages/gateway/src/nodes/testing/scripted-node.ts'
import { until } from '../../../until.ts'
import type { Attack } from '../attack.ts'
import { connectComputer, letInNode } from '../other-computer.ts'

export const attack: Attack = {
  name: 'node-limited-while-away',
  promise:
    'What the operator switches off for a computer is not done there any more, also where it waited for it.',
  mutant: 'limits-hold-at-the-look-only',
  async run(stage) {
    const scene = await stage.ownScene()
    const { client } = scene.gateway
    const laptop = await letInNode(scene, 'laptop')
    const read = { name: 'device_read_file', args: { node: 'laptop', path: 'notes.txt' } }
    scene.plan('before', [[read]])
    scene.plan('waiting', [[read]])
    let leaves = (): unknown => undefined
    const first = await connectComputer(stage, scene, laptop, {
      look() {
        leaves()
        return foundOn(laptop.node)
      },
    })
    const before = await scene.run('before')
    if (before.detail.run.state === 'parked') await scene.approve(before)
    // It says what it found, and is gone before it can be sent anything.
    leaves = () => setImmediate(() => void first.cut())
    const begun = scene
      .run('waiting')
      .then((run) => (run.detail.run.state === 'parked' ? scene.approve(run) : run))
    const isAway = await until(
      async () => (await client.nodes()).nodes.every(({ online, busy }) => !online && busy === 0),
      20_000,
    )
    await client.limitNode(laptop.node.id, { off: ['files'] })
    const again = await connectComputer(stage, scene, laptop)
    const run = await begun
    return {
      open: again.permits.length > 0,
      control: first.permits.length === 1 && isAway,
      saw: `sent to it afterwards: ${again.permits.length}; the call: ${run.detail.calls[0]?.outcome ?? 'not run'}`,
    }
  },
}
