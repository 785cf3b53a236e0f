/** The ledger was rewritten and a witness says so, while calls that were approved before still wait to run. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { addressOf, sceneAt } from '../granting.ts'
import { raiseAlarm } from '../other-history.ts'

export const attack: Attack = {
  name: 'approved-before-the-alarm',
  promise:
    'While the alarm of the ledger stands nothing runs but looks, whatever was approved before, by hand or as an undo.',
  mutant: 'alarms-stop-nothing',
  async run(stage) {
    const listener = await stage.listen()
    const scene = await sceneAt(stage, 'medium', [listener])
    const { client } = scene.gateway
    const file = join(scene.installation.paths.workspace, 'kept.txt')
    const post = { name: 'http_request', args: { url: `${addressOf(listener)}/`, method: 'POST', body: 'x' } }
    scene.plan('send-before', [[post]])
    scene.plan('send-after', [[post]])
    scene.plan('write-before', [[{ name: 'write_file', args: { path: 'kept.txt', content: 'one' } }]])
    scene.plan('write-after', [[{ name: 'write_file', args: { path: 'more.txt', content: 'two' } }]])
    scene.plan('look-after', [[{ name: 'read_file', args: { path: 'kept.txt' } }]])
    await scene.approve(await scene.run('send-before'))
    const sentBefore = listener.seen.length
    const written = await scene.run('write-before')
    const waiting = await scene.run('send-after')
    const raised = await raiseAlarm(scene, client)
    const sent = await scene.approve(waiting)
    await scene.run('write-after')
    await client.undoRun(written.id).catch(() => undefined)
    const looked = await scene.run('look-after')
    const done = [
      ...(listener.seen.length > sentBefore ? ['the approved call was sent'] : []),
      ...(existsSync(join(scene.installation.paths.workspace, 'more.txt')) ? ['a file was written'] : []),
      ...(existsSync(file) && readFileSync(file, 'utf8') === 'one' ? [] : ['a file was taken back']),
    ]
    return {
      open: done.length > 0,
      control: sentBefore === 1 && raised === 'raised' && looked.detail.calls[0]?.outcome === 'ok',
      saw: `${done.join(', ') || 'nothing was done'}; the approved call: ${sent.detail.calls[0]?.outcome ?? 'not run'}`,
    }
  },
}
