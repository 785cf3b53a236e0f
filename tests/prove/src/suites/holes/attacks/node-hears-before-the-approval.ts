/** A node that was taken over keeps what it is told of a call for a look, which the operator then denies. */
import type { Attack } from '../attack.ts'
import { changedBy } from '../node-changes.ts'
import { doneWith, nodeOf } from '../node-taken-over.ts'

const diary = 'Dear diary, the safe opens with 4711.'

export const attack: Attack = {
  name: 'node-hears-before-the-approval',
  promise: 'What would be written on another computer goes there with the permit only, after the approval.',
  mutant: 'looks-tell-everything',
  async run(stage) {
    const scene = await stage.scene()
    const owned = await nodeOf(scene, stage, 'listener', { look: changedBy, run: doneWith({}) })
    const link = await owned.connect()
    const change = (content: string) => ({
      name: 'device_write_file',
      args: { node: 'listener', path: 'plan.txt', content },
    })
    const heard = (words: string) => JSON.stringify(link.heard).includes(words)
    scene.plan('node-hears-denied', [[change(diary)]])
    const denied = await scene.run('node-hears-denied')
    await scene.gateway.client.stopRun(denied.id as never)
    const early = heard(diary)
    scene.plan('node-hears-approved', [[change('the shopping list')]])
    await scene.approve(await scene.run('node-hears-approved'))
    return {
      open: early,
      control: denied.detail.approvals.length === 1 && heard('the shopping list'),
      saw: `before the approval it heard ${early ? 'the diary' : 'no word of the content'}`,
    }
  },
}
