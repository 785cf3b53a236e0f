/** One reply starts a task for every call that it may make, and each task starts more, all with limits of their own. */
import { taskText } from '@countersign/contract'
import type { Attack } from '../attack.ts'

const mostOfRun = 5
const wanted = 12

export const attack: Attack = {
  name: 'tasks-begin-tasks',
  promise: 'Five tasks of a run are under way at once, and a task starts none.',
  mutant: 'tasks-multiply',
  async run(stage) {
    const scene = await stage.ownScene()
    const { client } = scene.gateway
    const part = { title: 'part', instructions: 'wait' }
    const start = { name: 'start_agent_task', args: part }
    // A task that waits for a decision stays under way.
    scene.plan(taskText(part), [[start, { name: 'write_file', args: { path: 'Makefile', content: 'all:' } }]])
    scene.plan('spread', [Array.from({ length: wanted }, () => start)])
    const { id, detail } = await scene.run('spread')
    const started = detail.calls.filter(({ outcome }) => outcome === 'ok').length
    const others = (await client.runs({})).filter((run) => run.id !== id)
    const settled = await Promise.all(others.map((run) => scene.settled(run.id)))
    const again = settled
      .flatMap(({ calls }) => calls)
      .filter(({ tool, outcome }) => tool === 'start_agent_task' && outcome === 'ok').length
    return {
      open: started > mostOfRun || again > 0,
      control: started >= mostOfRun && settled.some(({ run }) => run.state === 'parked'),
      saw: `${started} of ${wanted} tasks started, ${again} by tasks, ${others.length} runs besides the first`,
    }
  },
}
