/** A node that was taken over answers the calls that another one runs, whatever their numbers are. */

import { doneAt } from '../../../../../../packages/gateway/src/nodes/testing/scripted-node.ts'
import { until } from '../../../until.ts'
import type { Attack } from '../attack.ts'
import { connectComputer, letInNode } from '../other-computer.ts'

// Fewer than a node may tell within a minute unasked, or it would be put out before all of them were heard.
const numbers = 100

export const attack: Attack = {
  name: 'node-answers-for-another',
  promise: 'The end of a call is told by the node that was sent it, and by no other.',
  mutant: 'any-node-answers',
  async run(stage) {
    const scene = await stage.ownScene()
    const desk = await letInNode(scene, 'desk')
    const laptop = await letInNode(scene, 'laptop')
    const { promise: asked, resolve: mayAnswer } = Promise.withResolvers<void>()
    const honest = await connectComputer(stage, scene, desk, {
      async run() {
        await asked
        return doneAt('as it is')
      },
    })
    const hostile = await connectComputer(stage, scene, laptop)
    scene.plan('read-it', [[{ name: 'device_read_file', args: { node: 'desk', path: 'notes.txt' } }]])
    const running = scene
      .run('read-it')
      .then((run) => (run.detail.run.state === 'parked' ? scene.approve(run) : run))
    const isSent = await until(() => honest.permits.length > 0, 20_000)
    for (let id = 1; id <= numbers; id += 1)
      hostile.say({ type: 'executed', id, index: 0, reply: doneAt('forged') })
    // What it says is taken in its order, so all of the above was heard by then.
    hostile.say({ type: 'capabilities', capabilities: [] })
    const isHeard = await until(async () => {
      const { nodes } = await scene.gateway.client.nodes()
      return nodes.find(({ name }) => name === 'laptop')?.advert?.capabilities.length === 0
    }, 20_000)
    mayAnswer()
    await running
    const told = scene.shown('read-it')
    return {
      open: told.includes('forged'),
      control: isSent && isHeard && (told.includes('as it is') || told.includes('forged')),
      saw: told.includes('forged') ? 'the forged answer counted' : 'only the one who ran it was heard',
    }
  },
}
