/** A simulation is made of a run that works on a task, and its end is taken for the end of the task. */
import { taskText } from '@countersign/contract'
import { until } from '../../../until.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'fork-ends-the-task',
  promise: 'What is sent again elsewhere ends no task that the first run works on.',
  mutant: 'forks-end-records',
  async run(stage) {
    const scene = await stage.ownScene()
    const { client } = scene.gateway
    const given = { title: 'forked', instructions: 'write' }
    scene.plan('give-away', [[{ name: 'start_agent_task', args: given }]])
    // It waits for the operator, so the task is under way while the simulation ends.
    scene.plan(taskText(given), [
      [{ name: 'write_file', args: { path: 'forked/Makefile', content: 'all:' } }],
    ])
    await scene.run('give-away')
    const taskNow = async () => (await client.agentTasks()).find(({ title }) => title === given.title)
    const runNow = async () => {
      const session = (await taskNow())?.session
      return (await client.runs({})).find((each) => each.session === session)?.id
    }
    await until(async () => (await runNow()) !== undefined, 10_000)
    const run = await runNow()
    if (!run) throw new Error('No run works on the task.')
    const detail = await scene.settled(run)
    const fork = await client.forkSession(detail.run.session, { before: detail.run.id, simulate: true })
    const again = await client.retryRun(run, { session: fork.session })
    if (again.run === null) throw new Error('Nothing was sent again.')
    const simulated = await scene.settled(again.run)
    const during = await taskNow()
    await scene.approve({ id: run, session: detail.run.session, detail })
    await until(async () => (await taskNow())?.status !== 'active', 10_000)
    const after = await taskNow()
    return {
      open: during?.status !== 'active',
      control:
        detail.run.state === 'parked' && simulated.run.state === 'stopped' && after?.status === 'completed',
      saw: `after the simulation (${simulated.run.state}): ${during?.status}; after the run: ${after?.status}`,
    }
  },
}
