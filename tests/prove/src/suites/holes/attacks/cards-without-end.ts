/** One reply puts hundreds of requests before the operator, and then many runs do. */
import type { Attack } from '../attack.ts'

const mostOfRun = 5
const mostOfAll = 50

export const attack: Attack = {
  name: 'cards-without-end',
  promise: 'At most five requests of a run and fifty of all wait for a decision; the rest wait their turn.',
  mutant: 'inbox-without-end',
  async run(stage) {
    const scene = await stage.ownScene()
    const { client } = scene.gateway
    const pending = async (run?: string) =>
      (await client.approvals({ state: 'pending' })).filter((each) => run === undefined || each.run === run)
        .length
    scene.plan('flood', [
      Array.from({ length: 32 }, (_, batch) => ({
        name: 'batch_use_tool',
        args: {
          operations: Array.from({ length: 20 }, (_, at) => ({
            tool: 'write_file',
            args: { path: `flood-${batch}-${at}/Makefile`, content: 'all:' },
          })),
        },
      })),
    ])
    const first = await scene.run('flood')
    const ofRun = await pending(first.id)
    const next = await scene.approve(first)
    const after = await pending(first.id)
    for (let run = 0; run < 10; run += 1) await scene.run('flood')
    const ofAll = await pending()
    const waiting = next.detail.run.callsWaiting
    return {
      open: ofRun > mostOfRun || after > mostOfRun || ofAll > mostOfAll,
      control:
        next.detail.calls.some(({ outcome }) => outcome === 'ok') && after === mostOfRun && waiting > 0,
      saw: `${ofRun} of one run, ${after} after a decision with ${waiting} waiting, ${ofAll} of eleven runs`,
    }
  },
}
