/** An agent with a folder of its own makes a plan that leaves it, and has a schedule carry it out. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'folder-left-by-a-schedule',
  promise: 'The folder of an agent holds for plans that its schedules carry out.',
  mutant: 'schedules-leave-the-folder',
  async run(stage) {
    const scene = await stage.ownScene()
    const { client } = scene.gateway
    const { workspace } = scene.installation.paths
    const isWritten = async (word: string, folder: { readonly folder?: string }): Promise<boolean> => {
      const path = `${word}-elsewhere.txt`
      const step = { type: 'tool_call', id: 'out', name: 'Out', tool: 'write_file' }
      const steps = [{ ...step, args: { path, content: 'x' } }]
      const yearly = { name: word, schedule: '0 3 1 1 *' }
      scene.plan(word, [
        [{ name: 'create_plan', args: { name: word, steps } }],
        ([made]) => {
          const [planId = ''] = /plan_\w+/.exec(made?.[0] ?? '') ?? []
          return [{ name: 'create_scheduled_task', args: { ...yearly, planId } }]
        },
      ])
      const { agent } = await client.addAgent({ name: word, systemPrompt: 'You file.', ...folder })
      const message = { key: crypto.randomUUID(), session: null, text: word, mode: 'auto' as const }
      const sent = await client.send({ ...message, agent: agent.id })
      const id = sent.run ?? ''
      const played = { id, session: sent.session, detail: await scene.settled(id) }
      if (played.detail.run.state === 'parked') await scene.approve(played)
      const schedule = (await client.schedules()).find(({ name }) => name === word)
      if (!schedule) return false
      await client.runSchedule(schedule.id)
      for (;;) {
        const run = (await client.runs({})).find((each) => each.schedule === schedule.id)
        if (run) {
          await scene.settled(run.id)
          return existsSync(join(workspace, path))
        }
        await sleep(50)
      }
    }
    const limited = await isWritten('clerk', { folder: 'desk' })
    const free = await isWritten('rover', {})
    return {
      open: limited,
      control: free,
      saw: `written outside of the folder: ${limited}; by an agent without one: ${free}`,
    }
  },
}
