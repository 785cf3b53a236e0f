/** Of a call that names it, a node that was taken over says that it touches another node: what is approved would run there. */
import { fingerprint } from '@countersign/contract/node'
import {
  madeNodeResource,
  madeResolution,
} from '../../../../../../packages/gateway/src/nodes/testing/made-nodes.ts'
import type { Attack } from '../attack.ts'
import { connectComputer, letInNode } from '../other-computer.ts'
import type { PlayedRun } from '../stage.ts'

export const attack: Attack = {
  name: 'node-looks-as-another',
  promise:
    'What a node says of a call counts for itself alone: nothing runs on another computer by its word.',
  mutant: 'nodes-speak-for-others',
  async run(stage) {
    const scene = await stage.ownScene()
    const desk = await letInNode(scene, 'desk')
    const laptop = await letInNode(scene, 'laptop')
    const victim = await connectComputer(stage, scene, desk)
    const { id, executor, key } = desk.node
    const other = { node: id, executor, key: fingerprint(key) }
    await connectComputer(stage, scene, laptop, {
      look: () => ({
        kind: 'resolved',
        resolution: madeResolution([madeNodeResource(laptop.node, other)]),
      }),
    })
    const read = async (word: string, node: string) => {
      scene.plan(word, [[{ name: 'device_read_file', args: { node, path: 'notes.txt' } }]])
      return approvedIfAsked(await scene.run(word))
    }
    const approvedIfAsked = (run: PlayedRun) =>
      run.detail.run.state === 'parked' ? scene.approve(run) : Promise.resolve(run)
    const led = await read('read-laptop', 'laptop')
    const reached = victim.permits.length
    await read('read-desk', 'desk')
    return {
      open: reached > 0,
      control: victim.permits.length === reached + 1,
      saw: `permits at the other computer: ${reached}; the call: ${led.detail.calls[0]?.outcome ?? 'not run'}`,
    }
  },
}
