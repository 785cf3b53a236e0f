/** A message waits in a conversation that is deleted meanwhile; when everything goes on, it is answered there. */
import { settledRun } from '@countersign/harness'
import type { Attack } from '../attack.ts'
import type { Scene } from '../stage.ts'

export const attack: Attack = {
  name: 'erased-conversation-goes-on',
  promise: 'What waits in a conversation goes with it: nothing is done in it after it was deleted.',
  mutant: 'waiting-words-stay',
  async run(stage) {
    const scene = await stage.ownScene()
    const { client } = scene.gateway
    scene.plan('first', [])
    scene.plan('late', [[{ name: 'write_file', args: { path: 'probe/late.txt', content: 'too late' } }]])
    scene.plan('other', [[{ name: 'write_file', args: { path: 'probe/other.txt', content: 'in time' } }]])
    const [gone, kept] = [await scene.run('first here.'), await scene.run('first there.')]
    await client.pause()
    const say = (session: string, text: string) =>
      client.send({ key: crypto.randomUUID(), session: session as never, text, mode: 'auto' })
    await say(gone.session, 'late write it.')
    await say(kept.session, 'other write it.')
    await client.removeSession(gone.session)
    await client.resume()
    const [, others] = [await endedRuns(scene, gone.session), await endedRuns(scene, kept.session)]
    return {
      open: scene.shown('late') !== '',
      control: others === 2 && scene.shown('other') !== '',
      saw: `answered in the deleted one: ${scene.shown('late') !== ''}; in the other: ${scene.shown('other') !== ''}`,
    }
  },
}

/** All runs of a conversation have ended; how many there were. */
async function endedRuns({ gateway: { client } }: Scene, session: string): Promise<number> {
  const runs = await client.runs({ session })
  for (const { id } of runs) await settledRun(client, id, 'either')
  return runs.length
}
