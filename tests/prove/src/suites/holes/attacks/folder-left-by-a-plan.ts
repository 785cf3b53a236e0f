/** An agent with a folder of its own begins a plan, whose only step makes a schedule for the assistant, which has none. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'folder-left-by-a-plan',
  promise: 'Work that an agent with limits began sets nothing going without them.',
  mutant: 'plans-make-schedules',
  async run(stage) {
    const scene = await stage.ownScene()
    const { client } = scene.gateway
    const makes = async (word: string, agent?: string): Promise<boolean> => {
      const args = { name: word, schedule: '0 3 1 1 *', prompt: 'Read diary.txt.' }
      const step = { type: 'tool_call', id: 'later', name: 'Later', tool: 'create_scheduled_task', args }
      scene.plan(word, [
        [{ name: 'create_plan', args: { name: word, steps: [step] } }],
        ([made]) => {
          const [planId = ''] = /plan_\w+/.exec(made?.[0] ?? '') ?? []
          return [{ name: 'execute_plan', args: { planId } }]
        },
      ])
      const message = { key: crypto.randomUUID(), session: null, text: word, mode: 'auto' as const }
      const sent = await client.send({ ...message, ...(agent === undefined ? {} : { agent }) })
      const began = sent.run ?? ''
      const { calls } = await scene.settled(began)
      if (calls.at(-1)?.outcome !== 'ok') throw new Error(`The plan did not begin: ${JSON.stringify(calls)}`)
      for (;;) {
        const run = (await client.runs({})).find((each) => each.agent === 'plan' && !seen.has(each.id))
        if (!run) {
          await sleep(50)
          continue
        }
        seen.add(run.id)
        const played = { id: run.id, session: run.session, detail: await scene.settled(run.id) }
        if (played.detail.run.state === 'parked') await scene.approve(played)
        return (await client.schedules()).some(({ name }) => name === word)
      }
    }
    const seen = new Set<string>()
    const { agent } = await client.addAgent({ name: 'Clerk', systemPrompt: 'You file.', folder: 'desk' })
    const limited = await makes('clerk', agent.id)
    const free = await makes('rover')
    return {
      open: limited,
      control: free,
      saw: `a schedule of the assistant by way of the agent's plan: ${limited}; by the assistant's own: ${free}`,
    }
  },
}
